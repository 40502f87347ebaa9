/** Bodies of POST /v1/ereignisse as bytes: usual ones, odd ones, and what becomes of usual ones that are spoilt. */
import fc from 'fast-check';
import { type EventField, type FieldKind, SENT_FIELDS } from '#contracts';

/** When the bodies come in: some of their events are dated a day later. */
export const RECEIVED = new Date('2026-11-20T10:00:00.123Z');

// ── values as they stand in JSON ────────────────────────────────────────────────────────────────────────────

/** Free data that others may share, and whose bytes are texts, too. */
const OBJECTS = [
  '{}',
  '{ }',
  '{"a":1}',
  '{"a": 1}',
  '{"__proto__":{"x":[1,{}]},"a":0}',
  '{"b":1,"a":2,"1":3}',
];
const ODD_OBJECTS = [
  '{"a":1.0,"b":1e2,"c":-0,"d":0.1,"e":1e-7,"f":1e21,"g":12345678901234567890}',
  '{"a":1,"a":2}',
  '{\n  "text" : "} ü 👩‍👩‍👧 { [",\t"list": [ 1, {"x" : [ ]}, null, true ]\r\n}',
  '{"projekt":"p","eingabe_umfasst_cache":true}',
  '{"preisstufe":"batch","websuchen":2,"sekunden":"12.5","bild_eingabe_token":0,"region":null}',
  `${'{"a":'.repeat(63)}{}${'}'.repeat(63)}`,
];
const json = (value: unknown) => JSON.stringify(value);
const hasNoEscape = (text: string) => !json(text).includes('\\');
/** Bytes that every text field has room for. */
const ROOM = 60;
const plainText = fc.oneof(
  fc.constantFrom('', 'a', 'ü', 'gpt-4o', '__proto__', 'null', '\ufeff', '\u2028\u007f', 'x'.repeat(ROOM)),
  fc.constantFrom(...OBJECTS).filter(hasNoEscape),
  fc
    .string({ unit: 'grapheme', maxLength: 12 })
    .filter((text) => hasNoEscape(text) && Buffer.byteLength(text) <= ROOM),
);
const freeObject = fc.oneof(
  fc.constantFrom(...OBJECTS, ...ODD_OBJECTS),
  fc
    .tuple(fc.dictionary(plainText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }), fc.nat({ max: 2 }))
    .map(([value, indent]) => JSON.stringify(value, null, indent))
    .filter((text) => !text.includes('\\')),
);
const SOME_ID = '3f2a9c7e-0000-4000-8000-00000000abcd';
const uuid = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.constant(SOME_ID),
);
const count = fc.oneof(fc.nat({ max: 300 }), fc.constantFrom(0, 2 ** 32, 999_999_999_999_999)).map(String);
const instant = fc
  .tuple(fc.integer({ min: 0, max: 1_790_000_000 }), fc.stringMatching(/^(\.\d{1,6})?$/))
  .map(([seconds, decimals]) => new Date(1000 * seconds).toISOString().replace('.000Z', `${decimals}Z`));
const fingerprint = fc
  .tuple(fc.stringMatching(/^[0-9a-f]{16}$/), fc.boolean())
  .map(([hex, large]) => (large ? hex.toUpperCase() : hex));

/** What the fast path must take, by kind of field. */
const USUAL_OF: Record<FieldKind, fc.Arbitrary<string>> = {
  uuid: uuid.map(json),
  instant: instant.map(json),
  count,
  sum: count,
  text: plainText.map(json),
  fingerprint: fingerprint.map(json),
  flag: fc.constantFrom('true', 'false'),
  object: freeObject,
  decimal: fc.constant('0'),
};
const USUAL: Record<string, fc.Arbitrary<string>> = Object.fromEntries(
  Object.entries(SENT_FIELDS).map(([name, { kind }]) => [name, USUAL_OF[kind]]),
);
/** The names of the fields. */
export const NAMES = Object.keys(USUAL);
const NEVER_NULL: string[] = Object.entries(SENT_FIELDS)
  .filter(([, field]: [string, EventField]) => field.nullable === false)
  .map(([name]) => name);

/** What some fields take and others do not, and what is no JSON at all. */
export const ODD =
  String.raw`-1 -0 1.5 1.0 1e2 1e400 01 00 +1 .5 1. 0x1 NaN Infinity 9007199254740991 9007199254740992
  1234567890123456 100000000000000000000 "12" "1.0" true false TRUE tru truee null nul nulll "null" "" "yes" "ein 'x'
  [] {} [1] {"a":[} {"a":1,} {"a":1e999} {"a":"} {a:1} {,} {"a":{} {"a":"\u0000"} {"a":"\ud800"} {"sekunden":-1e-7}
  {"cache_schreib_1h_token":1} {"audio_eingabe_token":40,"bild_eingabe_token":2} {"bild_ausgabe_token":1.5} "\u00fc" "a\"b" "\x"
  "3F2A9C7E-0000-4000-8000-00000000ABCD" "3f2a9c7e-0000-4000-8000-00000000abcD" "3f2a9c7e00004000800000000000abcd"
  "{3f2a9c7e-0000-4000-8000-00000000abcd}" "3f2a9c7e-0000-4000-8000-00000000abc" "3f2a9c7e-0000-4000-8000_00000000abcd"
  "3f2a9c7e-0000-4000-8000-00000000abcg" "0123456789abcdeg" "0123456789abcde" "2026-11-21T10:00:00.999999Z"
  "2026-11-21T10:00:01Z" "2026-11-21T09:59:59Z" "9999-12-31T23:59:59Z" "2026-02-30T10:00:00Z" "2024-02-29T10:00:00Z"
  "2026-06-30T23:59:60Z" "2026-06-30T24:00:00Z" "2026-06-30T10:00:00" "2026-06-30T10:00:00+02:00" "2026-06-30T10:00Z"
  "2026-06-30T10:00:00.Z" "2026-06-30T10:00:00.1234567Z" "2026-06-30t10:00:00z" "0000-01-01T00:00:00Z" "1969-12-31T23:59:59.999999Z" "1970-01-01T00:00:00Z" "2026-06-30"
  1790000000 "1790000000" "2026-06-30T10:00:00,5Z"`
    .split(/\s+/)
    .concat(
      [
        '12 3',
        '{"a" 1}',
        '{"a":"\t"}',
        '"\u0001"',
        '"\0"',
        '"2026-06-30 10:00:00Z"',
        '"2026-06-30T10:00:00Z "',
      ],
      [`${'{"a":'.repeat(64)}{}${'}'.repeat(64)}`, `{"a":${'['.repeat(70)}${']'.repeat(70)}}`],
      [`{"a":${'['.repeat(5_000)}1}`, json('x'.repeat(61)), json('ü'.repeat(120)), json('🦊'.repeat(501))],
    );

// ── bodies, as lists of what stands in them ─────────────────────────────────────────────────────────────────

type Body = string[];
const nullable = (name: string, value: fc.Arbitrary<string>) =>
  NEVER_NULL.includes(name) ? value : fc.oneof({ weight: 8, arbitrary: value }, fc.constant('null'));
/** An event with some of its fields or nearly all of them, in any order; `oddWeight` of 10 values may be odd. */
const eventOf = (oddWeight: number) => {
  const anyValue = (name: string) =>
    fc.oneof(
      { weight: 10 - oddWeight, arbitrary: nullable(name, USUAL[name] as fc.Arbitrary<string>) },
      { weight: oddWeight, arbitrary: fc.constantFrom(...ODD) },
    );
  return fc
    .oneof(
      { weight: 4, arbitrary: fc.shuffledSubarray(NAMES, { maxLength: 6 }) },
      fc.shuffledSubarray(NAMES, { minLength: NAMES.length - 3 }),
    )
    .chain((names) =>
      fc.tuple(...names.map((name) => anyValue(name).map((value) => [json(name), ':', value]))),
    )
    .map((fields) => ['{', ...fields.flatMap((field, index) => (index > 0 ? [',', ...field] : field)), '}']);
};
const gaps = fc.array(fc.constantFrom('', '', '', ' ', '\n', '\t', '\r\n  '), { minLength: 1, maxLength: 9 });
const bodyOf = (oddWeight: number): fc.Arbitrary<Body> =>
  fc
    .tuple(fc.array(eventOf(oddWeight), { minLength: 1, maxLength: 4 }), gaps)
    .map(([events, spaces]) =>
      [
        '{',
        '"ereignisse"',
        ':',
        '[',
        ...events.flatMap((event, index) => (index > 0 ? [',', ...event] : event)),
        ']',
        '}',
      ]
        .flatMap((token, index) => [spaces[index % spaces.length] as string, token])
        .concat(spaces.at(-1) as string),
    );

const toBytes = (body: Body) => Buffer.from(body.join(''));

function repeatsNoId(bytes: Buffer): boolean {
  const { ereignisse } = JSON.parse(bytes.toString()) as { ereignisse: { ereignis_id?: string | null }[] };
  const ids = ereignisse.flatMap(({ ereignis_id: id }) => (id ? [id.toLowerCase()] : []));
  return new Set(ids).size === ids.length;
}

/** With white space everywhere, the fields in any order. */
export const usualBodies = bodyOf(0).map(toBytes).filter(repeatsNoId);
/** With some values that are not as the contract has them. */
export const oddBodies = bodyOf(1).map(toBytes);

/** Puts something at a place of a list, in place of `removed` others. */
const spliced = <T>(list: readonly T[], place: number, removed: number, ...added: T[]): T[] => {
  const copy = [...list];
  copy.splice(place % (list.length + 1), removed, ...added);
  return copy;
};

const STRUCTURE =
  '{ } [ ] , : " {}, ,{} "ereignisse" \\ // /**/ \ufeff \0 "agent":"x", ,"agent":null ,"zusatz":{} "unbekannt":1, ,"x":[{}]';
const token = fc.oneof(
  fc.constantFrom(...ODD),
  fc.constantFrom(...STRUCTURE.split(' ')),
  fc.constantFrom(...NAMES).map(json),
);
/** Usual bodies with something put, left out or exchanged. */
export const spoiltByTokens = fc
  .tuple(bodyOf(0), fc.nat(), fc.nat({ max: 2 }), fc.array(token, { maxLength: 1 }))
  .map(([body, place, removed, added]) => toBytes(spliced(body, place, removed, ...added)));

/** In hex: what is no UTF-8, what is no white space in JSON though it looks like some, and what must be escaped. */
const RAW = 'ff c080 eda080 f5808080 efbbbf e280 00 0a 0b 1f 7f c2a0 e280a8 5c'.split(' ');
const someBytes = fc.oneof(
  fc.constantFrom(...RAW).map((hex) => [...Buffer.from(hex, 'hex')]),
  fc.constantFrom(...'0123456789aAfFzZ"{}[],:- .eE+T\\').map((character) => [character.charCodeAt(0)]),
  fc.integer({ min: 0, max: 255 }).map((byte) => [byte]),
  fc.constant([]),
);
export const spoiltByBytes = fc
  .tuple(usualBodies, fc.nat(), fc.nat({ max: 1 }), someBytes)
  .map(([bytes, place, removed, added]) => Buffer.from(spliced([...bytes], place, removed, ...added)));
/** With a stretch that comes twice. */
export const doubledInPart = fc
  .tuple(usualBodies, fc.nat(), fc.nat({ max: 40 }))
  .map(([bytes, from, length]) => {
    const start = from % bytes.length;
    const end = Math.min(start + length, bytes.length);
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(start)]);
  });
/** Cut off somewhere. */
export const brokenOff = fc.tuple(bodyOf(0), fc.nat()).map(([body, length]) => {
  const bytes = Buffer.from(body.join('').trimEnd());
  return bytes.subarray(0, length % bytes.length);
});
