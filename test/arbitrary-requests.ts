/** Requests made by chance from the description alone: as it allows them, and spoilt in the ways senders spoil them. */
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { DescribedOperation, Description, Parameter, Schema } from './described.ts';

export interface ArbitraryRequest {
  /** Path and query, encoded. */
  url: string;
  headers: Record<string, string>;
  body: string | Buffer | null;
  /** Whether it comes with proof of who asks. */
  known: boolean;
}

/** Values that are real, by the name of a parameter or field: what is there is another case than what is not. */
export type Pool = ReadonlyMap<string, readonly string[]>;

const LONG = 60;
const LATEST = Date.parse('2200-01-01T00:00:00Z');

// ── values as the schema allows them ────────────────────────────────────────────────────────────────────────

function textOf({ format, pattern, minLength = 0, maxLength = LONG }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (format === 'uuid') return fc.uuid();
  if (format === 'email') return fc.emailAddress();
  if (format === 'date-time') return instant;
  if (format === 'date') return instant.map((text) => text.slice(0, 10));
  const most = Math.max(minLength, Math.min(maxLength, LONG));
  return fc
    .string({ unit: 'grapheme', minLength, maxLength: most })
    .filter((text) => text.length <= maxLength);
}

const instant = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date(LATEST), noInvalidDate: true })
  .map((date) => date.toISOString());

const shapes: Record<string, (schema: Schema, valuesOf: ValuesOf) => fc.Arbitrary<unknown>> = {
  string: textOf,
  integer: ({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }) =>
    fc.oneof(
      fc.integer({ min: Math.max(minimum, -9), max: Math.max(minimum, Math.min(maximum, 99)) }),
      fc.constantFrom(minimum, maximum),
    ),
  number: ({ minimum = -1e9, maximum = 1e9 }) => fc.double({ min: minimum, max: maximum, noNaN: true }),
  boolean: () => fc.boolean(),
  null: () => fc.constant(null),
  array: ({ items = {}, minItems = 0, maxItems = 3 }, valuesOf) =>
    fc.array(valuesOf(items), { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) }),
  object: ({ properties, required = [] }, valuesOf) =>
    properties
      ? fc.record(
          Object.fromEntries(
            Object.entries(properties).map(([name, schema]) => [name, valuesOf(schema, name)]),
          ),
          { requiredKeys: required },
        )
      : fc.dictionary(fc.string({ maxLength: 9 }), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 }),
};

/** `name`: of the field or parameter the value is for. */
type ValuesOf = (schema: Schema, name?: string) => fc.Arbitrary<unknown>;

/** Makes values that a schema of the document allows. */
function createValuesOf({ resolve }: Description, pool: Pool): ValuesOf {
  const valuesOf: ValuesOf = (given, name = '') => {
    const schema = resolve(given);
    const samples = [...(schema.examples ?? []), ...(pool.get(name) ?? [])];
    const made = madeOf(schema);
    return samples.length > 0 ? fc.oneof(fc.constantFrom(...samples), made) : made;
  };
  const madeOf = ({ anyOf, ...schema }: Schema): fc.Arbitrary<unknown> => {
    if (anyOf) return fc.oneof(...anyOf.map((branch) => valuesOf({ ...schema, ...branch })));
    return schema.enum ? fc.constantFrom(...schema.enum) : schemaShape(schema);
  };
  const schemaShape = (schema: Schema) => shapes[schema.type ?? '']?.(schema, valuesOf) ?? fc.jsonValue();
  return valuesOf;
}

// ── values as nobody should send them ───────────────────────────────────────────────────────────────────────

const oddText = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\u202e',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-0',
  '1e999',
  '9223372036854775808',
  "' OR 1=1 --",
  '../../etc/passwd',
  '%00',
  '{{7*7}}',
  'x'.repeat(300),
  'ü'.repeat(5_000),
  '2026-02-30',
  '2026-13-01T25:61:61Z',
  '+275760-09-13T00:00:00Z',
  '0001-01-01',
  '00000000-0000-0000-0000-000000000000',
  '{}',
  'a@b',
  'http://[::1',
);
const oddNumber = fc.constantFrom(0, -0, -1, 1.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, 5e-324);
const oddValue: fc.Arbitrary<unknown> = fc.oneof(
  oddText,
  oddNumber,
  fc.constantFrom(null, true, [], {}, [[]], [null], { a: {} }),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Texts that are not quite JSON, or more than anybody wants to read; made of one that is. */
const SPOILERS: ((json: string) => string | Buffer)[] = [
  (json) => json.slice(0, -1),
  (json) => `${json}x`,
  (json) => `${json}${json}`,
  (json) => `\ufeff${json}`,
  (json) => json.replace(/:/, ':1e999,"x":'),
  (json) => json.replace(/"[^"]*"/, '"\\ud800"'),
  (json) => json.replace(/"[^"]*"/, '"\\u0000"'),
  (json) => json.replace(/^\{("[^"]*":)/, '{$1null,$1'),
  (json) => json.replace(/^\{/, '{"__proto__":{"a":1},'),
  (json) => json.replace(/^\{/, `{"tief":${'['.repeat(400)}${']'.repeat(400)},`),
  (json) => json.replace(/^\{/, `{"zahl":${'9'.repeat(400)},`),
  (json) => json.replace(/^\{/, '{"zahl":NaN,'),
  () => '['.repeat(30_000),
  () => '{"a":'.repeat(9_000),
  () => '',
  () => 'null',
  () => '"',
  () => ' '.repeat(70_000),
  (json) => Buffer.from([...Buffer.from(json), 0xff, 0xfe]),
  (json) => Buffer.from(json, 'utf16le'),
  (json) => gzipSync(json),
];

/** A body in which one thing is not as it should be. */
const spoiltBody = (body: fc.Arbitrary<unknown>): fc.Arbitrary<string | Buffer> =>
  fc.oneof(
    oddValue.map((value) => JSON.stringify(value)),
    fc.tuple(body, fc.nat(), oddValue).map(([value, index, odd]) => {
      const entries = Object.entries(value as object);
      const at = index % (entries.length + 1);
      return JSON.stringify(
        Object.fromEntries([
          ...entries.filter((_, position) => position !== at),
          [entries[at]?.[0] ?? 'dazu', odd],
        ]),
      );
    }),
    fc.tuple(body, fc.nat()).map(([value, index]) => {
      const entries = Object.entries(value as object);
      return JSON.stringify(Object.fromEntries(entries.filter((_, at) => at !== index % entries.length)));
    }),
    fc.tuple(body, fc.constantFrom(...SPOILERS)).map(([value, spoil]) => spoil(JSON.stringify(value))),
  );

const oddHeaders: fc.Arbitrary<Record<string, string>> = fc.constantFrom(
  { 'content-type': 'text/plain' },
  { 'content-type': 'unsinn' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-type': 'multipart/form-data; boundary=x' },
  { 'content-encoding': 'gzip' },
  { 'content-encoding': '__proto__' },
  { 'content-length': '999999999' },
  { 'transfer-encoding': 'chunked' },
  { 'x-svc-key': 'zw_live_unsinn' },
  { authorization: 'Basic YTpi' },
  { authorization: `Bearer ${'x'.repeat(3_000)}` },
  { cookie: 'zw_sitzung=%00; zw_sitzung=\u00ff; =; ;' },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { host: 'evil.example' },
  { host: 'localhost:99999' },
  { 'x-forwarded-for': 'unsinn, 1.2.3.4' },
  { forwarded: 'for="[::1]:x"' },
  { 'idempotency-key': 'ü'.repeat(300) },
  { accept: 'text/csv;q=x, */*;q=9' },
  { 'accept-language': '-' },
  { range: 'bytes=9-1' },
  { 'if-none-match': '*' },
  { expect: 'wunder' },
  { 'x-http-method-override': 'DELETE' },
);

// ── requests ────────────────────────────────────────────────────────────────────────────────────────────────

const encoded = (value: unknown) => encodeURIComponent(String(value).toWellFormed());
const RAW = ['%00', '%ff', '%2e%2e', '%2F', '%E0%A4%A', 'a%20b', '%ed%a0%80'];

/** A value of a parameter as it stands in the address or a header. */
function parameterOf(
  { in: place, name, schema }: Parameter,
  valuesOf: ValuesOf,
  pool: Pool,
): fc.Arbitrary<string> {
  const usual = valuesOf(schema).map(encoded);
  const real = (pool.get(name) ?? []).map(encoded);
  if (place === 'header') return fc.oneof(fc.stringMatching(/^[!-~]{1,40}$/), valuesOf(schema).map(encoded));
  const odd = fc.oneof(oddText.map(encoded), fc.constantFrom(...RAW));
  return fc.oneof(
    { arbitrary: real.length > 0 ? fc.constantFrom(...real) : usual, weight: 4 },
    { arbitrary: usual, weight: 3 },
    { arbitrary: odd.filter((text) => place === 'query' || text !== ''), weight: 2 },
  );
}

const strayQuery = fc.constantFrom(
  '',
  '',
  '',
  '&x=1',
  '&limit=1&limit=2',
  '&a[]=1',
  '&=',
  '&%zz',
  '&__proto__=1',
);

/** There `present` times for every three times that it is left out (null). */
const mostly = (value: fc.Arbitrary<string>, present: number) =>
  fc.oneof({ arbitrary: value, weight: present }, { arbitrary: fc.constant(null), weight: 3 });

function urlOf(
  { path, parameters }: DescribedOperation,
  valuesOf: ValuesOf,
  pool: Pool,
): fc.Arbitrary<string> {
  const values = (place: Parameter['in']) =>
    fc.record(
      Object.fromEntries(
        parameters
          .filter((parameter) => parameter.in === place)
          .map((parameter) => {
            const value = parameterOf(parameter, valuesOf, pool);
            return [parameter.name, place === 'path' ? value : mostly(value, parameter.required ? 30 : 1)];
          }),
      ),
    );
  return fc.tuple(values('path'), values('query'), strayQuery).map(([inPath, inQuery, stray]) => {
    const given = Object.entries(inQuery).filter(([, value]) => value !== null);
    const query = given.map(([name, value]) => `${name}=${value}`);
    const search = `${query.join('&')}${stray}`;
    const filled = path.replace(
      /\{(\w+)\}/g,
      (_, name) => (inPath as Record<string, string>)[name] as string,
    );
    return search === '' ? filled : `${filled}?${search}`;
  });
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** Requests of an operation: more than half of them as described, the others spoilt in one place or several. */
export function arbitraryRequest(
  operation: DescribedOperation,
  description: Description,
  pool: Pool,
): fc.Arbitrary<ArbitraryRequest> {
  const valuesOf = createValuesOf(description, pool);
  const body = operation.body ? valuesOf(operation.body) : null;
  const sent = body
    ? fc.oneof(
        { arbitrary: body.map((value) => JSON.stringify(value)), weight: 2 },
        { arbitrary: spoiltBody(body), weight: 3 },
      )
    : fc.constantFrom(null, null, null, '{}', 'x');
  const inHeader = operation.parameters.filter((parameter) => parameter.in === 'header');
  const declaredHeaders = fc.record(
    Object.fromEntries(inHeader.map((parameter) => [parameter.name, parameterOf(parameter, valuesOf, pool)])),
    { requiredKeys: [] },
  );
  const odd = fc.oneof({ arbitrary: fc.constant({}), weight: 4 }, { arbitrary: oddHeaders, weight: 1 });
  const isKnown = fc.nat(9).map((number) => number > 0);
  return fc
    .tuple(urlOf(operation, valuesOf, pool), sent, declaredHeaders, odd, isKnown)
    .map(([url, content, declared, stray, known]) => ({
      url,
      headers: { ...(content === null ? {} : JSON_TYPE), ...(declared as Record<string, string>), ...stray },
      body: content,
      known,
    }));
}
