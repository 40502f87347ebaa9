/**
 * The short way takes nothing that the general way refuses, and makes nothing else of it: bodies of all kinds, right ones
 * and spoilt ones, are read in both ways.
 */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  brokenOff,
  doubledInPart,
  oddBodies,
  RECEIVED,
  spoiltByBytes,
  spoiltByTokens,
  usualBodies,
} from '../../../test/arbitrary-bodies.ts';
import { expectAsGenerally, readGenerally } from '../../../test/general-way.ts';
import { BatchScanner } from './scan-batch.ts';

const ID = '3f2a9c7e-0000-4000-8000-00000000abcd';
const toBody = (ereignisse: unknown[]) => Buffer.from(JSON.stringify({ ereignisse }));

/** Reads the bodies with one scanner, one after the other, and answers how many were taken and how many refused by all. */
function compareAll(bodies: fc.Arbitrary<Buffer>, numRuns: number) {
  const scanner = new BatchScanner();
  const found = { taken: 0, refused: 0, left: 0 };
  fc.assert(
    fc.property(bodies, (bytes) => {
      const scanned = scanner.scan(bytes, RECEIVED);
      if (scanned) {
        found.taken += 1;
        expectAsGenerally(scanned, bytes, RECEIVED);
      } else if (readGenerally(bytes, RECEIVED)) found.left += 1;
      else found.refused += 1;
    }),
    { numRuns },
  );
  return found;
}

describe('the short way', () => {
  test('takes every usual batch, in whatever order and with whatever white space', () => {
    expect(compareAll(usualBodies, 3_000)).toMatchObject({ left: 0, refused: 0 });
  });

  test('takes what JSON.stringify makes of canonical events', () => {
    const compact = usualBodies.map((bytes) => Buffer.from(JSON.stringify(JSON.parse(bytes.toString()))));
    expect(compareAll(compact, 2_000)).toMatchObject({ left: 0, refused: 0 });
  });

  test.each([
    ['values that are odd', oddBodies],
    ['something put, left out or exchanged', spoiltByTokens],
    ['bytes put, left out or exchanged', spoiltByBytes],
    ['a stretch that comes twice', doubledInPart],
  ])('agrees with the general way on bodies with %s', (_what, bodies) => {
    const { taken, refused, left } = compareAll(bodies, 4_000);
    // All three come up, or the comparison says nothing.
    expect(taken).toBeGreaterThan(100);
    expect(refused).toBeGreaterThan(100);
    expect(left).toBeGreaterThan(5);
  });

  test('refuses bodies that break off', () => {
    expect(compareAll(brokenOff, 2_000)).toMatchObject({ taken: 0 });
  });

  test('leaves nothing of a batch in the next one', () => {
    const used = new BatchScanner();
    const named = usualBodies.map((bytes) => {
      const { ereignisse } = JSON.parse(bytes.toString()) as { ereignisse: object[] };
      const withIds = ereignisse.map((event, index) => ({
        ...event,
        ereignis_id: ID.replace(/.$/, `${index}`),
      }));
      return toBody(withIds);
    });
    fc.assert(
      fc.property(fc.oneof(spoiltByTokens, oddBodies), named, (before, bytes) => {
        used.scan(before, RECEIVED);
        const scanned = used.scan(bytes, RECEIVED);
        expect(scanned).not.toBeNull();
        expect(scanned).toEqual(new BatchScanner().scan(bytes, RECEIVED));
      }),
      { numRuns: 500 },
    );
  });
});
