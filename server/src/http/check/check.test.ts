import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import {
  dayOrInstant,
  decimalInput,
  integer,
  nullable,
  optional,
  preset,
  record,
  secret,
  Type,
  text,
} from '#contracts';
import { compileCheck } from './index.ts';

const faultsOf = (schema: TSchema, value: unknown, options = {}) => {
  const result = compileCheck(schema)(value, ['body'], options);
  return result.ok ? [] : result.faults;
};

describe('a missing field', () => {
  const schema = Type.Object({ a: text(), b: text(), c: optional(text()) });

  it('shows the object that lacks it', () => {
    const input = { c: 'x', b: 'y' };
    expect(faultsOf(schema, input)).toEqual([
      { type: 'missing', loc: ['body', 'a'], msg: 'Field required', input },
    ]);
  });

  it('shows null for a parameter', () => {
    const faults = faultsOf(schema, { b: 'y' }, { missingInput: 'null' });
    expect(faults).toEqual([{ type: 'missing', loc: ['body', 'a'], msg: 'Field required', input: null }]);
  });

  it('is the body itself when that is null', () => {
    expect(faultsOf(schema, null)).toEqual([
      { type: 'missing', loc: ['body'], msg: 'Field required', input: null },
    ]);
  });
});

describe('defaults', () => {
  const schema = Type.Object({
    limit: preset(integer(), 50),
    tags: Type.Array(text(), { default: [] }),
    inner: Type.Optional(Type.Object({ n: preset(integer(), 1) })),
  });
  const check = compileCheck(schema);

  it('are filled on the strict path, into a copy', () => {
    const given = { inner: {} };
    expect(check(given, ['body'])).toEqual({ ok: true, value: { limit: 50, tags: [], inner: {} } });
    expect(given).toEqual({ inner: {} });
  });

  it('are filled on the lax path, which drops unknown fields', () => {
    expect(check({ limit: '7', x: 1 }, ['body'])).toEqual({ ok: true, value: { limit: 7, tags: [] } });
  });

  it('are not shared between requests', () => {
    const first = check({}, ['body']);
    if (first.ok) (first.value as { tags: string[] }).tags.push('x');
    expect(check({}, ['body'])).toEqual({ ok: true, value: { limit: 50, tags: [] } });
  });

  it('leave a canonical value as it is where there are none', () => {
    const value = { a: 'x', unknown: 1 };
    const result = compileCheck(Type.Object({ a: text() }))(value, ['body']);
    expect(result.ok && result.value).toBe(value);
  });
});

describe('secrets', () => {
  const schema = Type.Object({
    name: text(),
    passwort: secret({ min: 10 }),
    inner: nullable(Type.Object({ s: secret() })),
  });

  it('are left out of their own faults and of enclosing objects', () => {
    const faults = faultsOf(schema, { passwort: 'geheim', inner: { s: 5 }, passwrot: 'geheim' });
    expect(faults).toEqual([
      { type: 'missing', loc: ['body', 'name'], msg: 'Field required', input: { inner: {} } },
      {
        type: 'string_too_short',
        loc: ['body', 'passwort'],
        msg: 'String should have at least 10 characters',
        ctx: { min_length: 10 },
      },
      { type: 'string_type', loc: ['body', 'inner', 's'], msg: 'Input should be a valid string' },
    ]);
  });

  it('are left out where the body is no object at all', () => {
    expect(faultsOf(schema, 'passwort=geheim')).toEqual([
      {
        type: 'model_attributes_type',
        loc: ['body'],
        msg: 'Input should be a valid dictionary or object to extract fields from',
      },
    ]);
  });
});

describe('inputs that cannot be shown', () => {
  const schema = Type.Object({ f: Type.Optional(integer()) });
  const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));

  it.each([
    ['larger than 10 kB', 'x'.repeat(20_000)],
    ['larger than 10 kB in UTF-8', '€'.repeat(5_000)],
    ['deeper than 64 levels', deep],
    ['text that cannot be stored', { a: ['\ud800'] }],
    ['no finite number', Number.POSITIVE_INFINITY],
  ])('%s', (_name, f) => {
    const [fault] = faultsOf(schema, { f });
    expect(fault?.loc).toEqual(['body', 'f']);
    expect(fault).not.toHaveProperty('input');
  });

  it('a nesting no stack could follow, in a free object', () => {
    expect(faultsOf(record(), { a: deep })).toMatchObject([{ type: 'value_error', loc: ['body'] }]);
  });

  it('more than ten thousand faults', () => {
    expect(faultsOf(Type.Array(integer()), Array(20_000).fill('x'))).toHaveLength(10_000);
  });
});

describe('free objects', () => {
  const schema = Type.Object({ zusatz: optional(record()) });

  it('are looked through for text and numbers that cannot be stored', () => {
    const zusatz = { a: 'x\0', b: [1, { c: Number.POSITIVE_INFINITY }], 'k\ud800': 1 };
    expect(faultsOf(schema, { zusatz }).map(({ type, loc }) => [type, ...loc])).toEqual([
      ['string_unicode', 'body', 'zusatz', 'a'],
      ['finite_number', 'body', 'zusatz', 'b', 1, 'c'],
      ['string_unicode', 'body', 'zusatz'],
    ]);
  });

  it('keep every key, whatever its name', () => {
    const value = JSON.parse(
      '{"zusatz":{"__proto__":{"a":1},"constructor":2},"x":1,"__proto__":{"zusatz":5}}',
    );
    const result = compileCheck(schema)(value, ['body']);
    expect(result.ok && JSON.stringify(result.value)).toBe(JSON.stringify(value));
  });
});

describe('text known to have no escapes', () => {
  it('is not scanned', () => {
    const check = compileCheck(Type.Object({ a: text() }));
    expect(check({ a: '\0' }, ['body'], { plainText: true }).ok).toBe(true);
    expect(check({ a: '\0' }, ['body']).ok).toBe(false);
  });

  it('loses unknown fields that cannot be stored', () => {
    expect(compileCheck(Type.Object({ a: text() }))({ a: 'x', b: '\0' }, ['body'])).toEqual({
      ok: true,
      value: { a: 'x' },
    });
  });
});

it('reads a day or an instant', () => {
  const check = compileCheck(Type.Object({ von: dayOrInstant() }));
  expect(check({ von: '2024-01-02' }, ['query'])).toEqual({ ok: true, value: { von: '2024-01-02' } });
  expect(check({ von: '2024-01-02T03:04+01:00' }, ['query'])).toEqual({
    ok: true,
    value: { von: '2024-01-02T02:04:00.000Z' },
  });
  expect(check({ von: '2024-02-30' }, ['query'])).toMatchObject({
    ok: false,
    faults: [{ loc: ['query', 'von'] }],
  });
});

it('keeps the bounds of decimals exactly', () => {
  const schema = decimalInput({ min: '-100', max: '1000000000' });
  expect(faultsOf(schema, '1000000000.00000000000000000001')).toMatchObject([{ ctx: { le: 1_000_000_000 } }]);
  expect(faultsOf(schema, '1e999999999')).toMatchObject([{ type: 'less_than_equal', input: '1e999999999' }]);
  expect(faultsOf(schema, '-100.0000000001')).toMatchObject([
    { type: 'greater_than_equal', ctx: { ge: -100 } },
  ]);
});

it('refuses to compile what no building block makes', () => {
  expect(() => compileCheck(Type.Object({ a: Type.Number() }))).toThrow('knows no schema');
  expect(() => compileCheck(Type.Union([Type.String(), Type.Boolean()]))).toThrow('knows no schema');
});
