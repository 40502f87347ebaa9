import type { TSchema } from 'typebox';
import { describe, expect, it } from 'vitest';
import {
  boolean,
  count,
  date,
  datetime,
  decimalInput,
  email,
  integer,
  oneOf,
  optional,
  record,
  Type,
  text,
  uuid,
} from '#contracts';
import { type FaultType, MESSAGES } from './faults.ts';
import { compileCheck } from './index.ts';

const UUID = '12345678-1234-1234-1234-123456789abc';
const UNICODE = 'Input should be a valid string, unable to parse raw data as a unicode string';
const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/** `levels` objects inside each other. */
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

/** A schema, values it takes with what becomes of them, messages with the values they answer. */
type Row = [schema: TSchema, taken: [unknown, unknown][], refused: Record<string, unknown[]>];

/** Two kinds of fault are not those of a value: `missing` and `json_invalid` have tests of their own. */
const TABLE: Record<Exclude<FaultType, 'missing' | 'json_invalid'>, Row> = {
  model_attributes_type: [
    Type.Object({ a: optional(text()) }),
    [[{ a: 'x' }, { a: 'x' }]],
    { 'Input should be a valid dictionary or object to extract fields from': ['a=1', 5, [], null] },
  ],
  dict_type: [
    record(),
    [[{ a: [1] }, { a: [1] }]],
    { 'Input should be a valid dictionary': [[], 'a', null] },
  ],
  list_type: [Type.Array(text()), [[['a'], ['a']]], { 'Input should be a valid list': ['a', {}, null] }],
  too_short: [
    Type.Array(text(), { minItems: 1 }),
    [[['a'], ['a']]],
    { 'List should have at least 1 item after validation, not 0': [[]] },
  ],
  too_long: [
    Type.Array(text(), { maxItems: 2 }),
    [
      [
        ['a', 'b'],
        ['a', 'b'],
      ],
    ],
    { 'List should have at most 2 items after validation, not 3': [['a', 'b', 3]] },
  ],
  string_type: [text(), [['a', 'a']], { 'Input should be a valid string': [5, null, ['a']] }],
  string_unicode: [text(), [['a😀', 'a😀']], { [UNICODE]: ['a\0', '\ud800', '\udc00x'] }],
  string_too_short: [
    text({ min: 2 }),
    [['😀😀', '😀😀']],
    { 'String should have at least 2 characters': ['😀', ''] },
  ],
  string_too_long: [text({ max: 1 }), [['😀', '😀']], { 'String should have at most 1 character': ['ab'] }],
  string_pattern_mismatch: [
    Type.String({ pattern: '^[0-9a-f]{2}$' }),
    [['a0', 'a0']],
    { "String should match pattern '^[0-9a-f]{2}$'": ['A0', 'a0\n'] },
  ],
  literal_error: [
    oneOf('csv', 'ledger', 'pdf'),
    [['pdf', 'pdf']],
    { "Input should be 'csv', 'ledger' or 'pdf'": ['CSV', 1, null] },
  ],
  int_type: [integer(), [[true, 1]], { 'Input should be a valid integer': [[], null] }],
  int_parsing: [
    integer(),
    [
      ['12', 12],
      ['1.0', 1],
      [' 7 ', 7],
      ['1_000', 1000],
      ['+5', 5],
      ['-007', -7],
    ],
    {
      'Input should be a valid integer, unable to parse string as an integer': [
        '',
        '1e3',
        '0x10',
        '1.',
        '1__0',
        '--5',
        '\ufeff1',
        '٣',
      ],
    },
  ],
  int_parsing_size: [
    count(),
    [['9007199254740991', MAX_COUNT]],
    { 'Unable to parse input string as an integer, exceeded maximum size': ['9'.repeat(4301)] },
  ],
  int_from_float: [
    integer(),
    [[1.0, 1]],
    { 'Input should be a valid integer, got a number with a fractional part': [1.5] },
  ],
  greater_than_equal: [count(), [['0', 0]], { 'Input should be greater than or equal to 0': [-1, '-1'] }],
  less_than_equal: [
    count(),
    [[MAX_COUNT, MAX_COUNT]],
    {
      'Input should be less than or equal to 9007199254740991': [
        MAX_COUNT + 1,
        1e20,
        '9007199254740993',
        '9'.repeat(400),
      ],
    },
  ],
  finite_number: [
    decimalInput(),
    [[1e20, '100000000000000000000']],
    { 'Input should be a finite number': [Number.POSITIVE_INFINITY, 'inf', '-Infinity', 'NaN', 'sNaN12'] },
  ],
  bool_type: [boolean(), [[0, false]], { 'Input should be a valid boolean': [null, 1.5, []] }],
  bool_parsing: [
    boolean(),
    [
      ['YES', true],
      ['off', false],
      ['t', true],
      [1, true],
    ],
    { 'Input should be a valid boolean, unable to interpret input': ['ja', '', ' true', 2] },
  ],
  decimal_type: [
    decimalInput(),
    [[12.5, '12.5']],
    { 'Decimal input should be an integer, float, string or Decimal object': [true, {}, null] },
  ],
  decimal_parsing: [
    decimalInput(),
    [
      ['12.50', '12.5'],
      ['1_000', '1000'],
      ['+.5', '0.5'],
      ['-0', '0'],
      ['1e-7', '0.0000001'],
      [' 5. ', '5'],
    ],
    { 'Input should be a valid decimal': ['', '12,50', '.', '1e', '0x1', `${'1'.repeat(200_000)}x`] },
  ],
  decimal_max_places: [
    decimalInput({ min: '0', max: '1' }),
    [['1e-40', `0.${'0'.repeat(39)}1`]],
    { 'Decimal input should have no more than 40 decimal places': ['1e-999999999'] },
  ],
  decimal_whole_digits: [
    decimalInput(),
    [['1e39', `1${'0'.repeat(39)}`]],
    { 'Decimal input should have no more than 40 digits before the decimal point': ['1e999999999'] },
  ],
  uuid_type: [uuid(), [[UUID, UUID]], { 'UUID input should be a string, bytes or UUID object': [5, null] }],
  uuid_parsing: [
    uuid(),
    [
      [UUID.toUpperCase(), UUID],
      [UUID.replaceAll('-', ''), UUID],
      [`{${UUID}}`, UUID],
      [`urn:uuid:${UUID}`, UUID],
    ],
    {
      'Input should be a valid UUID, invalid character: found `z` at 1': ['z'],
      'Input should be a valid UUID, invalid character: found `{` at 1': [`{${UUID}`],
      'Input should be a valid UUID, invalid character: found `é` at 2': ['{é}'],
      'Input should be a valid UUID, invalid group length in group 4: expected 12, found 13': [`${UUID}0`],
      'Input should be a valid UUID, invalid group count: expected 5, found 1': ['{}', 'urn:uuid:'],
    },
  ],
  datetime_type: [
    datetime(),
    [[5, '1970-01-01T00:00:05.000Z']],
    { 'Input should be a valid datetime': [true, [], null] },
  ],
  datetime_parsing: [
    datetime(),
    [
      [-1.5, '1969-12-31T23:59:58.500Z'],
      [20_000_000_000, '2603-10-11T11:33:20.000Z'],
      [20_000_000_001, '1970-08-20T11:33:20.001Z'],
      ['2024', '1970-01-01T00:33:44.000Z'],
      [1_700_000_000.123456, '2023-11-14T22:13:20.123456Z'],
    ],
    {
      'Input should be a valid datetime, dates after 9999 are not supported as unix timestamps': [
        1e15,
        Number.POSITIVE_INFINITY,
      ],
      'Input should be a valid datetime, dates before 0000 are not supported as unix timestamps': [-1e15],
      'Input should be a valid datetime, year 0 is out of range': ['0000-01-01', '0001-01-01T00:00:00+02:00'],
      'Input should be a valid datetime, year 10000 is out of range': ['9999-12-31T23:59:59-02:00'],
    },
  ],
  datetime_from_date_parsing: [
    datetime(),
    [
      ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00Z'],
      ['2024-01-01 10:00', '2024-01-01T10:00:00.000Z'],
      ['2024-01-01t10:00:00,5z', '2024-01-01T10:00:00.500Z'],
      ['2024-01-01T10:00:00+0200', '2024-01-01T08:00:00.000Z'],
      ['2024-01-01T10:00:00.1234567-23:59', '2024-01-02T09:59:00.123456Z'],
      ['2024-01-01', '2024-01-01T00:00:00.000Z'],
    ],
    {
      'Input should be a valid datetime or date, input is too short': ['12:00', '', '1e9'],
      'Input should be a valid datetime or date, invalid date separator, expected `-`': ['2024/01/01T00:00'],
      'Input should be a valid datetime or date, day value is outside expected range': [
        '2024-02-30T00:00:00Z',
      ],
      'Input should be a valid datetime or date, unexpected extra characters at the end of the input': [
        '2024-01-01T24:00:00Z',
        '2024-01-01T10:00:60Z',
        '2024-01-01T10:00:00+02',
        '2024-01-01T10:00:00Z ',
      ],
    },
  ],
  date_type: [date(), [['2024-02-29', '2024-02-29']], { 'Input should be a valid date': [true, null] }],
  date_parsing: [
    date(),
    [['0001-01-01', '0001-01-01']],
    { 'Input should be a valid date in the format YYYY-MM-DD, year 0 is out of range': ['0000-01-01'] },
  ],
  date_from_datetime_parsing: [
    date(),
    [
      ['2024-01-02T00:00:00+02:00', '2024-01-02'],
      [86_400, '1970-01-02'],
    ],
    {
      'Input should be a valid date or datetime, day value is outside expected range': ['2023-02-29'],
      'Input should be a valid date or datetime, minute value is outside expected range of 0-59': [
        '2024-01-02T10:60',
      ],
      'Input should be a valid date or datetime, invalid timezone hour': ['2024-01-02T10:00+2'],
    },
  ],
  date_from_datetime_inexact: [
    date(),
    [['1704153600', '2024-01-02']],
    { 'Datetimes provided to dates should have zero time - e.g. be exact dates': ['2024-01-02T10:00', 1] },
  ],
  value_error: [
    Type.Object({ e: optional(email()), r: optional(record()) }),
    [
      [{ e: ' anna@müller.de' }, { e: 'anna@müller.de' }],
      [{ r: nested(64) }, { r: nested(64) }],
    ],
    {
      'value is not a valid email address: An email address must have an @-sign.': [{ e: 'a' }, { e: '' }],
      'value is not a valid email address: The part after the @-sign is not valid. It should have a period.':
        [{ e: 'a@b' }],
      'value is not a valid email address: The email address contains invalid characters before the @-sign: SPACE.':
        [{ e: 'a b@c.de' }],
      'value is not a valid email address: An email address cannot have two periods in a row.': [
        { e: 'a..b@c.de' },
        { e: 'a@b..de' },
      ],
      'Value error, nesting deeper than 64 levels': [{ r: nested(65) }],
    },
  ],
};

describe.each(Object.entries(TABLE))('%s', (type, [schema, taken, refused]) => {
  const check = compileCheck(Type.Object({ f: schema }));

  it.each(taken)('takes %j', (given, becomes) => {
    expect(check({ f: given }, ['body'])).toEqual({ ok: true, value: { f: becomes } });
  });

  it.each(Object.entries(refused))('says: %s', (msg, values) => {
    for (const given of values) {
      expect(check({ f: given }, ['body'])).toMatchObject({ ok: false, faults: [{ type, msg }] });
    }
  });
});

it('has a row for every fault type', () => {
  const covered = [...Object.keys(TABLE), 'missing', 'json_invalid'];
  expect(covered.toSorted()).toEqual(Object.keys(MESSAGES).toSorted());
});
