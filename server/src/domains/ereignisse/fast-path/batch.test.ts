/**
 * The fast path takes nothing that the fallback refuses, and makes nothing else of it: bodies of all kinds, right ones
 * and spoilt ones, are read in both ways.
 */
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { EreignisEingang } from '#contracts';
import {
  brokenOff,
  doubledInPart,
  NAMES,
  ODD,
  oddBodies,
  RECEIVED,
  spoiltByBytes,
  spoiltByTokens,
  usualBodies,
} from '#test/arbitrary-bodies.ts';
import { isWhole } from '#test/depth.ts';
import { expectAsByFallback, readByFallback } from '#test/fallback.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import { BatchScanner } from './batch.ts';

const ID = '3f2a9c7e-0000-4000-8000-00000000abcd';
const toBody = (ereignisse: unknown[]) => Buffer.from(JSON.stringify({ ereignisse }));

/** Reads the bodies with one scanner, one after the other, and answers how many were taken and how many refused by all. */
function compareAll(bodies: fc.Arbitrary<Buffer>, count: number) {
  const scanner = new BatchScanner();
  const found = { taken: 0, refused: 0, left: 0 };
  fc.assert(
    fc.property(bodies, (bytes) => {
      const scanned = scanner.scan(bytes, RECEIVED);
      if (scanned) {
        found.taken += 1;
        expectAsByFallback(scanned, bytes, RECEIVED);
      } else if (readByFallback(bytes, RECEIVED)) found.left += 1;
      else found.refused += 1;
    }),
    { numRuns: fuzzRuns(count) },
  );
  return found;
}

describe('the fast path', () => {
  test('takes every usual batch, in whatever order and with whatever white space', () => {
    expect(compareAll(usualBodies, 800)).toMatchObject({ left: 0, refused: 0 });
  });

  test('takes what JSON.stringify makes of canonical events', () => {
    const compact = usualBodies.map((bytes) => Buffer.from(JSON.stringify(JSON.parse(bytes.toString()))));
    expect(compareAll(compact, 500)).toMatchObject({ left: 0, refused: 0 });
  });

  test.each([
    ['values that are odd', oddBodies],
    ['something put, left out or exchanged', spoiltByTokens],
    ['bytes put, left out or exchanged', spoiltByBytes],
    ['a stretch that comes twice', doubledInPart],
  ])('agrees with the fallback on bodies with %s', (_what, bodies) => {
    const { taken, refused, left } = compareAll(bodies, 1_000);
    // All three come up, or the comparison says nothing; of few, one of them may not.
    if (!isWhole) return;
    expect(taken).toBeGreaterThan(fuzzRuns(25));
    expect(refused).toBeGreaterThan(fuzzRuns(25));
    expect(left).toBeGreaterThan(fuzzRuns(1));
  });

  test('refuses bodies that break off', () => {
    expect(compareAll(brokenOff, 500)).toMatchObject({ taken: 0 });
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
      { numRuns: fuzzRuns(200) },
    );
  });
});

const scan = (body: string | Buffer) => new BatchScanner().scan(Buffer.from(body), RECEIVED);
/** Reads a body in both ways; true when the fast path has taken it. */
function isTaken(body: Buffer, scanner = new BatchScanner()): boolean {
  const scanned = scanner.scan(body, RECEIVED);
  if (scanned) expectAsByFallback(scanned, body, RECEIVED);
  return scanned !== null;
}

describe('a single value', () => {
  test.each(NAMES)('of %s, whatever it is, is read as the fallback reads it', (name) => {
    const scanner = new BatchScanner();
    const taken = ODD.filter((value) =>
      isTaken(Buffer.from(`{"ereignisse":[{"${name}":${value}}]}`), scanner),
    );
    expect(taken.length).toBeGreaterThan(0);
  });

  const texts = Object.entries(
    EreignisEingang.properties as Record<string, { maxLength?: number; anyOf?: unknown[] }>,
  )
    .map(([name, schema]) => [
      name,
      schema.maxLength ?? (schema.anyOf?.[0] as { maxLength?: number })?.maxLength ?? 0,
    ])
    .filter((entry): entry is [string, number] => Number(entry[1]) > 0);
  test.each(texts)('of %s may have %i characters, not one more', (name, max) => {
    const event = (text: string) => toBody([{ [name]: text }]);
    expect(isTaken(event('x'.repeat(max)))).toBe(true);
    for (const text of ['x'.repeat(max + 1), 'ü'.repeat(max), '🦊'.repeat(max), '🦊'.repeat(max + 1)])
      isTaken(event(text));
    expect(scan(event('x'.repeat(max + 1)))).toBeNull();
  });
});

describe('a body of another form', () => {
  test.each([
    '',
    ' ',
    'null',
    '[]',
    '{}',
    '{"ereignisse":null}',
    '{"ereignisse":{}}',
    '{"ereignisse":[]}',
    '{"ereignisse":[null]}',
    '{"ereignisse":[[]]}',
    '[{"ereignisse":[{}]}]',
    '\ufeff{"ereignisse":[{}]}',
    '{"ereignisse":[{}]}\ufeff',
    '{"ereignisse":[{}]}\0',
    '{"ereignisse":[{}]}}',
    '{"ereignisse":[{}]}{"ereignisse":[{}]}',
    '{"ereignisse":[{}],}',
    '{"ereignisse":[{},]}',
    '{"ereignisse":[,{}]}',
    '{"ereignisse":[{}{}]}',
    '{"ereignisse":[{}]',
    '{"ereignisse":[{}}]',
    '{"ereignisse":[{}],"ereignisse":[{}]}',
    '{"ereignisse":[{}],"\\u0065reignisse":[]}',
    '{"ereignisse":[{}],"quelle":"x"',
    '{"ereignisse":[{}],"quelle":x}',
    '{"ereignisse":[{}],"quelle":"x"}}',
    '{"ereignisse":[{}],"quelle":{}}]}',
    '{"quelle":"x","ereignisse":[{}]}',
    '{"Ereignisse":[{}]}',
    '{"\\u0065reignisse":[{}]}',
    '{"ereignisse":[{"unbekannt":1}]}',
    '{"ereignisse":[{"Agent":"a"}]}',
    '{"ereignisse":[{"agent":"a","agent":"a"}]}',
    '{"ereignisse":[{"agent":null,"agent":"a"}]}',
    '{"ereignisse":[{"agent":"a"  "modell":"b"}]}',
    '{"ereignisse":[{"agent" "a"}]}',
    '{"ereignisse":[{"agent":}]}',
    '{"ereignisse":[{"agent":"a",}]}',
    '{"ereignisse":[{,"agent":"a"}]}',
    '{"ereignisse":[{agent:"a"}]}',
  ])('is left alone: %j', (body) => {
    expect(scan('{"ereignisse":[{"agent":"a"},{}]}')).toMatchObject({ events: 2 });
    expect(scan(body)).toBeNull();
  });
});

test.each(['"quelle":"x"', '"Ereignisse":[{}]', '"a":{"ereignisse":[]}, "b" : [ "}" ]', '"a":"\\u0000"'])(
  'what stands behind the list is passed over: %j',
  (members) => {
    expect(isTaken(Buffer.from(`{"ereignisse":[{"agent":"a"}] , ${members} } `))).toBe(true);
  },
);

// ── many events ─────────────────────────────────────────────────────────────────────────────────────────────

const idOf = (index: number) => `${index.toString(16).padStart(8, '0')}${ID.slice(8)}`;
/** An event like few others; some fields are missing in some. */
const eventNumber = (index: number) => ({
  ...(index % 3 > 0 ? { ereignis_id: idOf(index) } : {}),
  ...(index % 5 > 0 ? { zeitpunkt: new Date(RECEIVED.getTime() - index).toISOString() } : {}),
  agent: `ü-${index % 700}`,
  eingabe_token: index,
  cache_lese_token: index % 2 ? null : index,
  ...(index % 7 > 0 ? {} : { eltern_span: idOf(index), lauf_id: idOf(index), geschaetzt: true }),
  prompt_fingerabdruck: index % 4 ? null : index.toString(16).padStart(16, '0'),
  zusatz: index % 6 ? { nummer: index % 900, ende: ' }"'.slice(0, index % 3) } : null,
});
const numbered = (events: number) => toBody(Array.from({ length: events }, (_, index) => eventNumber(index)));

describe('a batch of many events', () => {
  test('keeps the first of them when room is made for more, in whatever order batches come', () => {
    const scanner = new BatchScanner();
    const [few, many] = isWhole ? [4_097, 10_000] : [600, 2_049];
    for (const events of [255, 256, 257, 1, 1_025, 2, many, 3, few, 300, many, 256])
      expect(isTaken(numbered(events), scanner), `${events}`).toBe(true);
  });

  test('is left alone beyond the limit, and then nothing of it stays', () => {
    const scanner = new BatchScanner();
    for (const body of [numbered(10_001), toBody(Array(10_001).fill({})), numbered(9_999).subarray(0, -2)]) {
      expect(scanner.scan(body, RECEIVED)).toBeNull();
      expect(isTaken(toBody([{}, {}]), scanner)).toBe(true);
      const named = toBody([{ ereignis_id: ID, eltern_span: null }]);
      expect(scanner.scan(named, RECEIVED)).toEqual(scan(named));
    }
  });

  test('may have 90,000 different texts', () => {
    const names = NAMES.filter((name) =>
      /^(anbieter|modell|agent|status|fehlercode|quelle)$|_ref$/.test(name),
    );
    const eventWith = (index: number) => Object.fromEntries(names.map((name, n) => [name, `${n}/${index}`]));
    const body = toBody(Array.from({ length: 10_000 }, (_, index) => eventWith(index)));
    expect(names).toHaveLength(9);
    expect(isTaken(body)).toBe(true);
  });
});

// ── ids ─────────────────────────────────────────────────────────────────────────────────────────────────────

const withIds = (...ids: string[]) => toBody(ids.map((ereignis_id) => ({ ereignis_id })));

describe('ids', () => {
  test('that come twice are counted as often, wherever they stand', () => {
    const other = idOf(1);
    for (const body of [withIds(ID, ID), withIds(ID, other, ID.toUpperCase()), withIds(other, ID, ID)])
      expect(isTaken(body)).toBe(true);
    const many = Array.from({ length: 10_000 }, (_, index) => idOf(index));
    expect(scan(withIds(...many))).toMatchObject({ events: 10_000, repeats: 0 });
    expect(scan(withIds(...many.slice(1), idOf(1)))).toMatchObject({ events: 10_000, repeats: 1 });
    expect(scan(withIds(...many.slice(1), idOf(9_999)))).toMatchObject({ repeats: 1 });
    expect(scan(withIds(...Array<string>(10_000).fill(ID)))).toMatchObject({ repeats: 9_999 });
  });

  test.each([
    ['count up at the end', (n: number) => `3f2a9c7e-0000-4000-8000-${n.toString(16).padStart(12, '0')}`],
    ['count up at the beginning', idOf],
    [
      'differ in the middle',
      (n: number) => `3f2a9c7e-0000-4${n.toString(16).padStart(3, '0')}-8000-000000000000`,
    ],
    ['are of one moment', () => uuidv7({ msecs: RECEIVED.getTime() })],
  ])('that %s are different ones', (_what, id) => {
    const ids = Array.from({ length: 1_000 }, (_, index) => id(index));
    expect(isTaken(withIds(...ids))).toBe(true);
  });
});

describe('texts that end alike', () => {
  test('are read right however many they are', () => {
    const alike = Array.from({ length: 9_000 }, (_, number) => `${number} of them ends like the others`);
    const bodyWith = (texts: string[]) =>
      toBody(
        Array.from({ length: 10_000 }, (_, index) => ({
          agent: texts[index % texts.length],
          modell: texts[0],
        })),
      );
    expect(isTaken(bodyWith(alike.slice(0, 60)))).toBe(true);
    expect(isTaken(bodyWith(alike))).toBe(true);
  });
});

describe('free data', () => {
  test('are left alone when they hold more values than are within reason for the length of the body', () => {
    const scanner = new BatchScanner();
    const numbers = (each: number, of: (index: number) => object) =>
      toBody(
        Array.from({ length: 1_000 }, (_, index) => ({ zusatz: { ...of(index), w: Array(each).fill(1) } })),
      );
    expect(
      isTaken(
        numbers(2, (n) => ({ n })),
        scanner,
      ),
    ).toBe(true);
    expect(
      isTaken(
        numbers(100, (n) => ({ n })),
        scanner,
      ),
    ).toBe(false);
    // Those that are alike are looked into once.
    expect(
      isTaken(
        numbers(100, () => ({})),
        scanner,
      ),
    ).toBe(true);
    // And nothing of one body is held against the next one.
    expect(
      isTaken(
        numbers(2, (n) => ({ n })),
        scanner,
      ),
    ).toBe(true);
  });

  test('are left alone when each of them has names of its own', () => {
    const named = (count: number) =>
      toBody(
        Array.from({ length: count }, (_, index) => ({ zusatz: { [`name_${index}`]: 'x'.repeat(100) } })),
      );
    expect(isTaken(named(1_500))).toBe(true);
    expect(scan(named(5_000))).toBeNull();
  });

  test.each([
    [`{"a":${'['.repeat(63)}${']'.repeat(63)}}`, true],
    [`{"a":${'['.repeat(64)}${']'.repeat(64)}}`, false],
    [`{"a":${'['.repeat(500_000)}${']'.repeat(500_000)}}`, false],
  ])(
    'are left alone when they nest deeper than the fallback allows, arrays included: %#',
    (zusatz, taken) => {
      const body = `{"ereignisse":[{"zusatz":${zusatz}}]}`;
      expect(scan(body) !== null).toBe(taken);
    },
  );
});
