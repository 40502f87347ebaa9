/**
 * Whatever part of a body is read straight from its bytes, it is answered as if all of it were read in general: what is
 * taken, what is refused, and with which faults at which places.
 */
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { type BodyOf, type ereignisseAnnehmen, StapelEingang } from '#contracts';
import { compileReadBytes, type GeneralReader, type ReadBody } from '#http/readers.ts';
import {
  brokenOff,
  doubledInPart,
  oddBodies,
  RECEIVED,
  spoiltByBytes,
  spoiltByTokens,
} from '#test/arbitrary-bodies.ts';
import { isWhole } from '#test/depth.ts';
import { expectAsByFallback, readByFallback } from '#test/fallback.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import type { SentContent } from '../content.ts';
import { BatchScanner } from '../fast-path/batch.ts';
import { createReader } from './annehmen-body.ts';

const CIRCUMSTANCES = { header: { 'content-type': 'application/json' }, receivedAt: RECEIVED, known: null };

/** Answers what is read, or thrown. */
function outcomeOf(read: () => ReadBody<unknown> | undefined) {
  try {
    return read() ?? { thrown: null };
  } catch (error) {
    return { thrown: error };
  }
}

type Stapel = BodyOf<typeof ereignisseAnnehmen>;

/** Reads bodies in one way and in the other. */
function createWays() {
  const reader = createReader();
  const parsed = vi.fn<GeneralReader['parse']>();
  const readBytes = compileReadBytes(StapelEingang, {
    'application/json': (bytes, general, circumstances) => {
      parsed.mockReset().mockImplementation(general.parse);
      return reader(bytes, { ...general, parse: parsed } as GeneralReader<Stapel>, circumstances);
    },
  });
  const read = (bytes: Buffer) => outcomeOf(() => readBytes?.(bytes, CIRCUMSTANCES));
  const readInGeneral = (bytes: Buffer) => {
    const scan = vi.spyOn(BatchScanner.prototype, 'scan').mockReturnValue(null);
    try {
      return read(bytes);
    } finally {
      scan.mockRestore();
    }
  };
  return {
    /** Fails unless both ways agree; says whether the rest of the list alone was read in general. */
    compare(bytes: Buffer): { rest: boolean; taken: boolean } {
      const one = read(bytes);
      const rest = parsed.mock.calls.length > 0;
      const other = readInGeneral(bytes);
      const taken = 'ok' in one && one.ok;
      if (taken) {
        expectAsByFallback(one.value as SentContent, bytes, RECEIVED);
        expect(other).toMatchObject({ ok: true, worth: one.worth });
      } else {
        expect(readByFallback(bytes, RECEIVED)).toBeNull();
        expect(one).toEqual(other);
      }
      return { rest, taken };
    },
  };
}

describe('a body read in part', () => {
  test.each([
    ['values that are odd', oddBodies],
    ['something put, left out or exchanged', spoiltByTokens],
    ['bytes put, left out or exchanged', spoiltByBytes],
    ['a stretch that comes twice', doubledInPart],
    ['nothing at their end', brokenOff],
  ])('is answered as one read as a whole: bodies with %s', (_what, bodies) => {
    const ways = createWays();
    let rests = 0;
    fc.assert(
      fc.property(
        bodies.filter(({ length }) => length > 0),
        (bytes) => {
          if (ways.compare(bytes).rest) rests += 1;
        },
      ),
      { numRuns: fuzzRuns(1_000) },
    );
    // It comes up, or the comparison says nothing; of few it may not.
    if (isWhole) expect(rests).toBeGreaterThan(fuzzRuns(25));
  });

  const usual = '{"agent":"a","eingabe_token":7,"zusatz":{"a":1}}';
  test.each([
    ['a text with an escape', '{"agent":"\\u0061","modell":"gpt\\n","agent":"b"}', true],
    ['a number as a text', '{"eingabe_token":"12","ausgabe_token":1.0}', true],
    ['nothing at a field that was there', '{"agent":"x","eingabe_token":7,"agent":null}', true],
    ['a field nobody knows', '{"agent":"x","mehr":[{"ereignisse":[]}]}', true],
    ['what is no count', '{"eingabe_token":-1}', false],
    ['a time from before 1970', '{"zeitpunkt":"1969-12-31T23:59:59Z"}', false],
    ['a time far ahead', '{"zeitpunkt":"2027-01-01T00:00:00Z"}', false],
    ['no event', '7', false],
  ])('whose last events have %s', (_what, odd, taken) => {
    const ways = createWays();
    const list = `${usual},${usual},${odd},${usual},${odd}`;
    const found = ways.compare(Buffer.from(`{"ereignisse":[${list}]}`));
    expect(found).toEqual({ rest: true, taken });
  });

  test.each([
    [`[${usual},{"agent":"\\n"}],"ereignisse":[{}]}`],
    [`[${usual},{"agent":"\\n"}],"\\u0065reignisse":[]}`],
    [`[${usual},{"agent":"\\n"}],"ereignisse":null}`],
    [`[${usual},{"agent":"\\n"}],"":[{}]}`],
    [`[${usual},{"agent":"\\n"},]}`],
    [`[${usual},{"agent":"\\n"}]`],
    [`[${usual},{"agent":"\\n"}]}}`],
    [`[${usual},{"zusatz":${'['.repeat(2_000)}`],
  ])('whose end is another one: %j', (rest) => {
    expect(createWays().compare(Buffer.from(`{"ereignisse":${rest}`)).rest).toBe(true);
  });

  test('may have its first odd event anywhere, and as many events as a batch takes', () => {
    const ways = createWays();
    for (const [before, behind, taken] of [
      [255, 1, true],
      [256, 300, true],
      [257, 1_000, true],
      [1, 9_999, true],
      [9_999, 1, true],
      [9_999, 2, false],
      [10_000, 1, false],
    ] as const) {
      const list = [...Array(before).fill(usual), ...Array(behind).fill('{"agent":"\\n"}')].join(',');
      expect(ways.compare(Buffer.from(`{"ereignisse":[${list}]}`)).taken, `${before}+${behind}`).toBe(taken);
    }
  });
});
