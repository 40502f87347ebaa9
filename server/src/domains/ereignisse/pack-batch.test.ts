/** What is accepted comes out of the inbox as it was sent, in whichever form it waited. */
import { randomBytes, randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EreignisEingang, StapelEingang } from '#contracts';
import { compileCheck } from '#http/check/index.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import { compress, packBatch, unpackBatch } from './pack-batch.ts';
import { type EventIn, PackedBatch } from './packed-batch.ts';

const RECEIVED = '2026-11-20T10:00:00.123Z';
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

// ── batches of all kinds ────────────────────────────────────────────────────────────────────────────────────

const IDS = Array.from({ length: 5 }, () => randomUUID());
const uuid = fc.oneof(fc.uuid(), fc.constantFrom(...IDS));
const text = fc.oneof(
  fc.constantFrom('', 'a', 'ü', 'gpt-4o', '👩‍👩‍👧', '__proto__', 'null', '\ufeffx', '"\\\n\u2028\u007f'),
  fc.string({ unit: 'binary', maxLength: 40 }).map((value) => value.replaceAll('\0', '')),
);
const count = fc.oneof(
  fc.nat({ max: 5_000 }),
  fc.maxSafeNat(),
  fc.constantFrom(0, 2 ** 32, Number.MAX_SAFE_INTEGER),
);
const fingerprint = fc
  .tuple(fc.uint8Array({ minLength: 8, maxLength: 8 }), fc.boolean())
  .map(([bytes, large]) => (large ? bytes.toHex().toUpperCase() : bytes.toHex()));

const FIRST = Temporal.Instant.from('0001-01-01T00:00:00Z').epochMilliseconds / 1000;
const LAST = Temporal.Instant.from('9999-12-31T23:59:59Z').epochMilliseconds / 1000;
const instant = fc
  .tuple(
    fc.oneof(fc.integer({ min: FIRST, max: LAST }), fc.constantFrom(FIRST, LAST, -1, 0)),
    fc.stringMatching(/^(\.[0-9]{1,6})?$/),
  )
  .map(([seconds, decimals]) =>
    Temporal.Instant.fromEpochMilliseconds(seconds * 1000)
      .toString()
      .replace('Z', `${decimals}Z`),
  );

/** Free data, made of JSON so that `__proto__` is a key like others. */
const zusatz = fc
  .array(fc.tuple(fc.oneof(text, fc.constantFrom('projekt', '__proto__', 'constructor')), fc.json()), {
    maxLength: 4,
  })
  .map(
    (fields) =>
      JSON.parse(`{${fields.map(([key, json]) => `${JSON.stringify(key)}:${json}`)}}`) as Record<
        string,
        unknown
      >,
  );

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3 });
const FIELDS: { [Name in keyof EventIn]-?: fc.Arbitrary<Exclude<EventIn[Name], undefined>> } = {
  ereignis_id: optional(uuid),
  zeitpunkt: optional(instant),
  anbieter: optional(text),
  modell: optional(text),
  agent: optional(text),
  lauf_id: optional(uuid),
  schritt_nr: optional(count),
  eltern_span: optional(uuid),
  eingabe_token: optional(count),
  ausgabe_token: optional(count),
  cache_lese_token: optional(count),
  cache_schreib_token: optional(count),
  denk_token: optional(count),
  werkzeugaufrufe: optional(count),
  latenz_ms: optional(count),
  erste_zeichen_ms: optional(count),
  status: text,
  fehlercode: optional(text),
  geschaetzt: fc.boolean(),
  prompt_fingerabdruck: optional(fingerprint),
  werkzeug_fingerabdruck: optional(fingerprint),
  endkunde_ref: optional(text),
  funktion_ref: optional(text),
  benutzer_ref: optional(text),
  quelle: text,
  zusatz: optional(zusatz),
};
const event: fc.Arbitrary<EventIn> = fc.oneof(
  { weight: 5, arbitrary: fc.record(FIELDS, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.record(FIELDS) },
) as fc.Arbitrary<EventIn>;
const few = fc.array(event, { maxLength: 12 });
/** As many as wanted, most of which share their texts with others. */
const many = fc
  .tuple(fc.array(event, { minLength: 1, maxLength: 20 }), fc.integer({ min: 100, max: 300 }))
  .map(([events, length]) => Array.from({ length }, (_, index) => events[index % events.length] as EventIn));

const check = compileCheck(StapelEingang);
/** What the door makes of a batch. */
function checked(ereignisse: EventIn[]): EventIn[] {
  const result = check({ ereignisse }, ['body']);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return (result.value as { ereignisse: EventIn[] }).ereignisse;
}
const batches = fc.oneof({ weight: 4, arbitrary: few }, { weight: 1, arbitrary: many }).map(checked);

// ── what must come out ──────────────────────────────────────────────────────────────────────────────────────

const ZERO_WHEN_MISSING = ['cache_lese_token', 'cache_schreib_token', 'denk_token', 'werkzeugaufrufe'];

function expected(sent: EventIn): Record<string, unknown> {
  const instant = Temporal.Instant.from(sent.zeitpunkt ?? RECEIVED);
  const filled: Record<string, unknown> = {
    ...Object.fromEntries(ZERO_WHEN_MISSING.map((name) => [name, 0])),
    geschaetzt: false,
    ...sent,
    ereignis_id: sent.ereignis_id ?? expect.stringMatching(UUID),
    zeitpunkt: instant.toString({ fractionalSecondDigits: 6 }),
    prompt_fingerabdruck: sent.prompt_fingerabdruck?.toLowerCase(),
    werkzeug_fingerabdruck: sent.werkzeug_fingerabdruck?.toLowerCase(),
  };
  return Object.fromEntries(
    Object.entries(filled).filter(([, value]) => value !== null && value !== undefined),
  );
}

/** Free data as text: exact, with every key in its place. */
const withText = ({ zusatz, ...rest }: Record<string, unknown>) => ({
  ...rest,
  zusatz: JSON.stringify(zusatz),
});

function expectSame(batch: PackedBatch, sent: EventIn[]): void {
  expect(batch.events).toBe(sent.length);
  expect([...batch.toEvents()].map(withText)).toStrictEqual(sent.map(expected).map(withText));
}

const waiting = (daten: Buffer, umfang: number) => unpackBatch({ daten, umfang, empfangen_am: RECEIVED });
async function roundTrip(sent: EventIn[]): Promise<PackedBatch> {
  const packed = packBatch(sent, RECEIVED);
  return waiting(await compress(packed), packed.length);
}

/** An event with something in every field. */
const FULL: { [Name in keyof EventIn]-?: NonNullable<EventIn[Name]> } = {
  ereignis_id: '0123abcd-4567-89ef-0123-456789abcdef',
  zeitpunkt: '2024-02-29T23:59:59.5Z',
  anbieter: 'openai',
  modell: 'gpt-4o',
  agent: 'a/b',
  lauf_id: '11111111-2222-4333-8444-555555555555',
  schritt_nr: 1,
  eltern_span: 'fedcba98-7654-4321-8fed-cba987654321',
  eingabe_token: 2,
  ausgabe_token: 3,
  cache_lese_token: 4,
  cache_schreib_token: 5,
  denk_token: 6,
  werkzeugaufrufe: 7,
  latenz_ms: 8,
  erste_zeichen_ms: Number.MAX_SAFE_INTEGER,
  status: 'fehler',
  fehlercode: 'zu viel',
  geschaetzt: true,
  prompt_fingerabdruck: '0123456789ABCDEF',
  werkzeug_fingerabdruck: 'fedcba9876543210',
  endkunde_ref: 'kunde',
  funktion_ref: 'funktion',
  benutzer_ref: 'ich',
  quelle: 'proxy',
  zusatz: { projekt: 'p', tief: [{ tiefer: null }] },
};

describe('a packed batch', () => {
  test('comes back as it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (sent) => expectSame(await roundTrip(sent), sent)),
      { numRuns: fuzzRuns(150) },
    );
  });

  test('has room for every field of the contract', async () => {
    expect(Object.keys(FULL).sort()).toEqual(Object.keys(EreignisEingang.properties).sort());
    const [event] = (await roundTrip(checked([FULL]))).toEvents();
    expect(event).toStrictEqual(expected(FULL));
  });

  test.each(['eingabe_token', ...ZERO_WHEN_MISSING])('knows null and missing apart in %s', async (name) => {
    const missing = name === 'eingabe_token' ? {} : { [name]: 0 };
    const [absent, empty] = (await roundTrip([{}, { [name]: null }])).toEvents();
    expect(absent).toMatchObject(missing);
    expect(name in (absent ?? {})).toBe(name in missing);
    expect(empty).not.toHaveProperty(name);
  });

  test('assigns an id once: each event has its own, and keeps it', async () => {
    const packed = packBatch(Array(300).fill({}), RECEIVED);
    const idsOf = (batch: PackedBatch) => [...batch.toEvents()].map((each) => each.ereignis_id);
    const ids = idsOf(waiting(await compress(packed), packed.length));
    expect(new Set(ids).size).toBe(300);
    expect(idsOf(waiting(await compress(packed), packed.length))).toEqual(ids);
  });

  test('holds a text once, however many events share it', () => {
    const shared = { fehlercode: 'ü'.repeat(500), zusatz: { text: 'x'.repeat(1_000) } };
    const size = (events: number) => packBatch(Array(events).fill(shared), RECEIVED).length;
    expect(size(300) - size(200)).toBe(size(200) - size(100));
    expect(size(200) - size(100)).toBeLessThan(100 * 300);
  });

  test('may begin anywhere in memory, and be surrounded by other bytes', () => {
    fc.assert(
      fc.property(few.map(checked), fc.nat({ max: 17 }), (sent, offset) => {
        const packed = packBatch(sent, RECEIVED);
        const memory = Buffer.alloc(offset + packed.length + 40, 0xee);
        packed.copy(memory, offset);
        expectSame(new PackedBatch(memory.subarray(offset, offset + packed.length)), sent);
      }),
    );
  });

  test('may be 10 MB of free data, in one event or in many', { timeout: 120_000 }, async () => {
    const one: EventIn[] = [{ zusatz: { text: randomBytes(5 * 1024 * 1024).toString('hex') } }];
    const thousands = Array.from(
      { length: 10_000 },
      (): EventIn => ({ agent: randomUUID(), zusatz: { text: randomBytes(500).toString('hex'), a: 'ü🦊' } }),
    );
    for (const sent of [one, thousands]) expectSame(await roundTrip(sent), sent);
  });
});

describe('what the inbox keeps', () => {
  const keep = async (events: number) => {
    const packed = packBatch(checked(Array.from({ length: events }, () => FULL)), RECEIVED);
    return { packed, daten: await compress(packed) };
  };

  test('of a single event is the packed batch as it is', async () => {
    const { packed, daten } = await keep(1);
    expect(daten).toBe(packed);
    expectSame(waiting(daten, packed.length), checked([FULL]));
  });

  test('of many events is a fraction of it', async () => {
    const { packed, daten } = await keep(100);
    expect(daten.length).toBeLessThan(packed.length / 4);
    expect([...waiting(daten, packed.length).toEvents()]).toHaveLength(100);
  });
});

describe('a batch that an earlier version left as JSON', () => {
  const FORMS: [what: string, toText: (batch: unknown) => string][] = [
    ['as it is', (batch) => JSON.stringify(batch)],
    ['pretty-printed', (batch) => JSON.stringify(batch, null, 2)],
    ['with a byte-order mark', (batch) => `\ufeff${JSON.stringify(batch)}`],
    [
      'with tabs, an end of line and fields of others',
      (batch) => `${JSON.stringify({ quelle: 1, ...(batch as object), ereignis: [] }, null, '\t')}\r\n`,
    ],
  ];

  test.each(FORMS)('%s is read as a packed one', (_what, toText) => {
    fc.assert(
      fc.property(batches, (ereignisse) => {
        const json = Buffer.from(toText({ ereignisse }));
        expectSame(waiting(zstdCompressSync(json), json.length), ereignisse);
      }),
      { numRuns: fuzzRuns(40) },
    );
  });

  test('is empty when it has no events', () => {
    for (const json of ['{}', '{"ereignisse":[]}'])
      expectSame(waiting(zstdCompressSync(json), json.length), []);
  });

  test.each([0, 100_000])('is read whatever its size is said to be (%i)', (umfang) => {
    const ereignisse = checked([FULL, {}]);
    expectSame(waiting(zstdCompressSync(JSON.stringify({ ereignisse })), umfang), ereignisse);
  });
});

describe('bytes that are no batch', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['bytes that are not compressed', Buffer.from('unsinn')],
    ['compressed nothing', zstdCompressSync('')],
    ['compressed text', zstdCompressSync('unsinn')],
    ['compressed JSON that breaks off', zstdCompressSync('{"ereignisse":[{')],
    ['JSON null', zstdCompressSync('null')],
    ['events that are none', zstdCompressSync('{"ereignisse":5}')],
    ['an event that is none', zstdCompressSync('{"ereignisse":[null]}')],
    ['an id that is none', zstdCompressSync('{"ereignisse":[{"ereignis_id":"eins"}]}')],
    ['a time that is none', zstdCompressSync('{"ereignisse":[{"zeitpunkt":"gestern"}]}')],
    ['a packed form of the future', zstdCompressSync(Buffer.from([2, 0, 0, 0, 0, 0, 0, 0]))],
    ['the first byte alone', zstdCompressSync(Buffer.from([1]))],
  ])('are refused: %s', (_what, daten) => {
    expect(() => waiting(daten, daten.length)).toThrow();
  });

  test('are refused: a packed batch that breaks off, or goes on, anywhere', () => {
    const packed = packBatch(checked([FULL, {}]), RECEIVED);
    for (let length = 1; length < packed.length; length += 1) {
      const daten = zstdCompressSync(packed.subarray(0, length));
      expect(() => waiting(daten, packed.length), `${length} of ${packed.length}`).toThrow();
      expect(() => new PackedBatch(packed.subarray(0, length)), `${length} of ${packed.length}`).toThrow(
        RangeError,
      );
    }
    const longer = Buffer.concat([packed, Buffer.alloc(1)]);
    expect(() => new PackedBatch(longer)).toThrow(RangeError);
  });

  test('are refused: compressed data that break off', () => {
    const packed = packBatch(checked([FULL]), RECEIVED);
    const daten = zstdCompressSync(packed);
    for (const length of [1, 4, 10, daten.length >> 1, daten.length - 1])
      expect(() => waiting(daten.subarray(0, length), packed.length), `${length}`).toThrow();
  });
});
