/** What is accepted comes out of the inbox as it was sent, whichever version packed it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type EventField, SENT_FIELDS, type SentNameOf, StapelEingang, sentNames } from '#contracts';
import { compileCheck } from '#http/check/index.ts';
import { uuidBytes } from '#kernel/hex.ts';
import { instantOf } from '#kernel/microseconds.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import {
  COLUMNS,
  type Column,
  carve,
  columnsOf,
  DESCRIPTION,
  describe as describeColumns,
  inOrder,
  type Kind,
  layoutOf,
  POSITIONS,
  sizeOf,
  startOf,
} from './format.ts';
import { eventsIn, type PackedBatch, readBatch, unpackBatch, waitingEvents } from './read.ts';
import { compress, type EventIn, packBatch } from './write.ts';

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

const BY_KIND: Record<Kind, fc.Arbitrary<unknown>> = {
  uuid,
  instant,
  count,
  text,
  fingerprint,
  flag: fc.boolean(),
  object: zusatz,
};
const FIELDS = Object.fromEntries(
  Object.entries(SENT_FIELDS).map(([name, field]: [string, EventField]) => {
    const value = BY_KIND[field.kind as Kind];
    return [name, field.nullable === false ? value : fc.option(value, { freq: 3 })];
  }),
);
const event: fc.Arbitrary<EventIn> = fc.oneof(
  { weight: 5, arbitrary: fc.record(FIELDS, { requiredKeys: [] }) },
  { weight: 1, arbitrary: fc.record(FIELDS) },
);
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

const expectEvents = (events: Iterable<EventIn>, sent: EventIn[]) =>
  expect([...events].map(withText)).toStrictEqual(sent.map(expected).map(withText));

interface Waiting {
  empfangen_am: string;
  umfang: number;
  daten: Buffer;
}
const waiting = (daten: Buffer, umfang: number): Waiting => ({ daten, umfang, empfangen_am: RECEIVED });
async function wait(sent: EventIn[]): Promise<Waiting> {
  const packed = packBatch(sent, RECEIVED);
  return waiting(await compress(packed), packed.length);
}

/** Something of each kind. */
const SOMETHING: Record<Kind, unknown> = {
  uuid: '0123abcd-4567-89ef-0123-456789abcdef',
  instant: '2024-02-29T23:59:59.5Z',
  count: Number.MAX_SAFE_INTEGER,
  text: 'ü🦊',
  fingerprint: '0123456789ABCDEF',
  flag: true,
  object: { projekt: 'p', tief: [{ tiefer: null }] },
};
/** An event with something in every field. */
const FULL: EventIn = Object.fromEntries(
  Object.entries(SENT_FIELDS).map(([name, { kind }]) => [name, SOMETHING[kind]]),
);

describe('a packed batch', () => {
  test('comes back as it was sent', async () => {
    await fc.assert(
      fc.asyncProperty(batches, async (sent) => {
        expectEvents(waitingEvents(await wait(sent)), sent);
      }),
      { numRuns: fuzzRuns(150) },
    );
  });

  test('has room for every field of the contract', async () => {
    expectEvents(waitingEvents(await wait(checked([FULL]))), [FULL]);
  });

  test.each(['eingabe_token', ...ZERO_WHEN_MISSING])('knows null and missing apart in %s', async (name) => {
    const missing = name === 'eingabe_token' ? {} : { [name]: 0 };
    const [absent, empty] = waitingEvents(await wait([{}, { [name]: null }]));
    expect(absent).toMatchObject(missing);
    expect(name in (absent ?? {})).toBe(name in missing);
    expect(empty).not.toHaveProperty(name);
  });

  test('assigns an id once: each event has its own, and keeps it', async () => {
    const batch = await wait(Array(300).fill({}));
    const ids = () => [...waitingEvents(batch)].map((each) => each.ereignis_id);
    expect(new Set(ids()).size).toBe(300);
    expect(ids()).toEqual(ids());
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
        expectEvents(eventsIn(memory.subarray(offset, offset + packed.length)), sent);
      }),
    );
  });

  test('may be 10 MB of free data, in one event or in many', async () => {
    const one: EventIn[] = [{ zusatz: { text: randomBytes(5 * 1024 * 1024).toString('hex') } }];
    const thousands = Array.from(
      { length: 10_000 },
      (): EventIn => ({ agent: randomUUID(), zusatz: { text: randomBytes(500).toString('hex'), a: 'ü🦊' } }),
    );
    for (const sent of [one, thousands]) expectEvents(waitingEvents(await wait(sent)), sent);
  });

  test('says of its columns only how they differ from those of old', () => {
    for (const name of ['fremd', 'fremd_text']) {
      const added: Column = { name, kind: 'text' };
      expect(describeColumns([...COLUMNS, added])).toBe(`${DESCRIPTION}${name} text\n`);
    }
    expect(columnsOf(`${DESCRIPTION}`)).toEqual(COLUMNS.map(({ name, kind }) => ({ name, kind })));
  });
});

describe('what the inbox keeps', () => {
  const keep = async (events: number) => {
    const packed = packBatch(checked(Array(events).fill(FULL)), RECEIVED);
    return { packed, daten: await compress(packed) };
  };

  test('of a single event is the packed batch as it is', async () => {
    const { packed, daten } = await keep(1);
    expect(daten).toBe(packed);
    expectEvents(waitingEvents(waiting(daten, packed.length)), checked([FULL]));
  });

  test('of many events is a fraction of it', async () => {
    const { packed, daten } = await keep(100);
    expect(daten.length).toBeLessThan(packed.length / 4);
    expect([...waitingEvents(waiting(daten, packed.length))]).toHaveLength(100);
  });
});

// ── batches of other versions ───────────────────────────────────────────────────────────────────────────────

/** Texts, each of them once, by the order they came in. */
const numberIn = (texts: string[], text: string): number => {
  if (!texts.includes(text)) texts.push(text);
  return texts.indexOf(text);
};

/** Writes a value that there is into its column. */
function writeValue(
  column: unknown,
  kind: Column['kind'],
  index: number,
  value: unknown,
  texts: string[],
): void {
  if (kind === 'instant') {
    const { seconds, micros } = instantOf(value as string);
    (column as { seconds: Float64Array }).seconds[index] = seconds;
    (column as { micros: Uint32Array }).micros[index] = micros;
  } else if (kind === 'text') (column as Uint32Array)[index] = numberIn(texts, value as string);
  else if (kind === 'object') (column as Uint32Array)[index] = numberIn(texts, JSON.stringify(value));
  else if (kind === 'uuid') (column as Buffer).set(uuidBytes(value as string), 16 * index);
  else if (kind === 'fingerprint') (column as Buffer).set(Buffer.from(value as string, 'hex'), 8 * index);
  else (column as Float64Array)[index] = Number(value);
}

/** Packs events that have something in every column into these columns. */
function packAs(columns: readonly Column[], events: readonly Record<string, unknown>[]): Buffer {
  const description = Buffer.from(describeColumns(columns));
  const layout = layoutOf(columns);
  const start = startOf(description.length);
  const bytes = new Uint8Array(start + sizeOf(layout, events.length));
  const { values, present } = carve(layout, bytes, start, events.length);
  const texts: string[] = [];
  for (const [index, event] of events.entries())
    for (const [position, { name, kind }] of columns.entries()) {
      const value = event[name];
      if (value === null) continue;
      present[index] = (present[index] as number) | (1 << position);
      writeValue(values[position], kind, index, value, texts);
    }
  const ends = [0];
  for (const text of texts) ends.push((ends.at(-1) as number) + Buffer.byteLength(text));
  new Uint32Array(bytes.buffer, 0, 4).set([2, events.length, texts.length, description.length]);
  bytes.set(description, 16);
  return Buffer.concat([bytes, new Uint8Array(new Uint32Array(ends).buffer), Buffer.from(texts.join(''))]);
}

const OTHERS: Column[] = [
  { name: 'fremd', kind: 'text' },
  { name: 'fremd_token', kind: 'count' },
  { name: 'fremd_id', kind: 'uuid' },
];
const isAssigned = ({ name }: Column) => name === 'ereignis_id' || name === 'zeitpunkt';
/** The columns of another version: some are gone, some have come. */
const otherColumns = fc
  .tuple(fc.subarray(COLUMNS.filter((column) => !isAssigned(column))), fc.shuffledSubarray(OTHERS))
  .map(([own, others]) => [...inOrder([...COLUMNS.filter(isAssigned), ...own]), ...others])
  .map((columns) => columns.map(({ name, kind }): Column => ({ name, kind })));
const fullEvent = fc
  .tuple(fc.record(FIELDS), fc.uuid(), instant)
  .map(([fields, ereignis_id, zeitpunkt]): EventIn => ({ ...fields, ereignis_id, zeitpunkt }));

/** What a batch holds, texts in place of their numbers. */
function contentOf(batch: PackedBatch) {
  const { present, values } = batch.columns;
  const textsOf = (name: SentNameOf<'text' | 'object'>) => {
    const numberAt = batch.numbers(name);
    return Array.from(present, (_, index) => (numberAt(index) < 0 ? null : batch.text(numberAt(index))));
  };
  const texts = [...sentNames('text'), ...sentNames('object')].map((name) => [name, textsOf(name)] as const);
  const others = COLUMNS.filter(({ name }) => !texts.some(([text]) => text === name)).map(
    ({ name }) => [name, values[POSITIONS[name]]] as const,
  );
  return { present, texts, others };
}

describe('a batch of another version', () => {
  test('is read by the names of its columns: what is missing was left out, what is unknown is ignored', () => {
    fc.assert(
      fc.property(otherColumns, fc.array(fullEvent, { maxLength: 8 }).map(checked), (columns, sent) => {
        const unknown = { fremd: 'eu', fremd_token: 1, fremd_id: IDS[0] };
        const names = new Set(columns.map(({ name }) => name));
        const known = sent.map((event) =>
          Object.fromEntries(Object.entries(event).filter(([name]) => names.has(name))),
        );
        const batch = readBatch(
          packAs(
            columns,
            sent.map((event) => ({ ...unknown, ...event })),
          ),
          RECEIVED,
        );
        const same = readBatch(packBatch(known, RECEIVED), RECEIVED);
        expect(contentOf(batch)).toEqual(contentOf(same));
      }),
      { numRuns: fuzzRuns(100) },
    );
  });

  test('is refused when it has a kind of column nobody knows, or too many columns', () => {
    const packed = (columns: { name: string; kind: string }[]) => packAs(columns as Column[], []);
    expect(() => readBatch(packed([...COLUMNS, { name: 'dauer', kind: 'interval' }]), RECEIVED)).toThrow(
      'dauer interval',
    );
    const many = Array.from({ length: 32 }, (_, index) => ({ name: `spalte_${index}`, kind: 'count' }));
    expect(() => readBatch(packed(many), RECEIVED)).toThrow('32 columns');
  });
});

const unpack = (daten: Buffer, umfang: number) => unpackBatch(waiting(daten, umfang));

describe('bytes that are no batch', () => {
  test.each([
    ['nothing', Buffer.alloc(0)],
    ['bytes that are not compressed', Buffer.from('unsinn, aber lang genug für einen Kopf')],
    ['compressed nothing', zstdCompressSync('')],
    ['compressed text', zstdCompressSync('unsinn')],
    ['compressed JSON', zstdCompressSync('{"ereignisse":[{"agent":"a"}]}')],
    ['a packed form of the future', zstdCompressSync(Buffer.from([3, ...Array(15).fill(0)]))],
    ['the first byte alone', zstdCompressSync(Buffer.from([2]))],
    ['a head that promises too much', zstdCompressSync(Buffer.from([2, 0, 0, 0, ...Array(12).fill(0xff)]))],
  ])('are refused: %s', (_what, daten) => {
    expect(() => unpack(daten, daten.length)).toThrow();
  });

  test('are refused: a packed batch that breaks off, or goes on, anywhere', () => {
    const packed = packBatch(checked([FULL, {}]), RECEIVED);
    for (let length = 1; length < packed.length; length += 1) {
      const daten = zstdCompressSync(packed.subarray(0, length));
      expect(() => unpack(daten, packed.length), `${length} of ${packed.length}`).toThrow(RangeError);
    }
    const longer = Buffer.concat([packed, Buffer.alloc(1)]);
    expect(() => readBatch(longer, RECEIVED)).toThrow(RangeError);
  });

  test('are refused: compressed data that break off', async () => {
    const { daten, umfang } = await wait(checked([FULL]));
    for (const length of [1, 4, 10, daten.length >> 1, daten.length - 1])
      expect(() => unpack(daten.subarray(0, length), umfang), `${length}`).toThrow();
  });

  test.each([0, 100_000])('are not those whose size is said to be another (%i)', async (umfang) => {
    const { daten } = await wait(checked([FULL, {}]));
    expect(unpack(daten, umfang).events).toBe(2);
    // What is damaged does not become more than it was.
    const bomb = zstdCompressSync(Buffer.alloc(50_000_000));
    expect(() => unpack(bomb, umfang)).toThrow(expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }));
  });
});
