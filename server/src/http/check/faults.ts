/** What a check says about a value: the fault types with their messages (Pydantic v2's), and where they are collected. */
import { isEchoable } from './echo.ts';

/** Where a value stands: `["body", "ereignisse", 3, "status"]`. */
export type Loc = (string | number)[];

/** One entry of the `detail` of a 422 answer. */
export interface Fault {
  type: string;
  loc: Loc;
  msg: string;
  /** The refused value; left out for secrets and for what is too large, too deep or unsafe to echo. */
  input?: unknown;
  ctx?: Record<string, unknown>;
}

type Ctx = Record<string, unknown>;

const plural = (count: unknown, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Every fault type with its message, made from the context. */
export const MESSAGES = {
  missing: () => 'Field required',
  model_attributes_type: () => 'Input should be a valid dictionary or object to extract fields from',
  dict_type: () => 'Input should be a valid dictionary',
  list_type: () => 'Input should be a valid list',
  too_short: (c) =>
    `List should have at least ${plural(c.min_length, 'item')} after validation, not ${c.actual_length}`,
  too_long: (c) =>
    `List should have at most ${plural(c.max_length, 'item')} after validation, not ${c.actual_length}`,
  string_type: () => 'Input should be a valid string',
  string_unicode: () => 'Input should be a valid string, unable to parse raw data as a unicode string',
  string_too_short: (c) => `String should have at least ${plural(c.min_length, 'character')}`,
  string_too_long: (c) => `String should have at most ${plural(c.max_length, 'character')}`,
  string_pattern_mismatch: (c) => `String should match pattern '${c.pattern}'`,
  literal_error: (c) => `Input should be ${c.expected}`,
  int_type: () => 'Input should be a valid integer',
  int_parsing: () => 'Input should be a valid integer, unable to parse string as an integer',
  int_parsing_size: () => 'Unable to parse input string as an integer, exceeded maximum size',
  int_from_float: () => 'Input should be a valid integer, got a number with a fractional part',
  greater_than_equal: (c) => `Input should be greater than or equal to ${c.ge}`,
  less_than_equal: (c) => `Input should be less than or equal to ${c.le}`,
  finite_number: () => 'Input should be a finite number',
  bool_type: () => 'Input should be a valid boolean',
  bool_parsing: () => 'Input should be a valid boolean, unable to interpret input',
  decimal_type: () => 'Decimal input should be an integer, float, string or Decimal object',
  decimal_parsing: () => 'Input should be a valid decimal',
  decimal_max_places: (c) =>
    `Decimal input should have no more than ${plural(c.decimal_places, 'decimal place')}`,
  decimal_whole_digits: (c) =>
    `Decimal input should have no more than ${plural(c.whole_digits, 'digit')} before the decimal point`,
  uuid_type: () => 'UUID input should be a string, bytes or UUID object',
  uuid_parsing: (c) => `Input should be a valid UUID, ${c.error}`,
  datetime_type: () => 'Input should be a valid datetime',
  datetime_parsing: (c) => `Input should be a valid datetime, ${c.error}`,
  datetime_from_date_parsing: (c) => `Input should be a valid datetime or date, ${c.error}`,
  date_type: () => 'Input should be a valid date',
  date_parsing: (c) => `Input should be a valid date in the format YYYY-MM-DD, ${c.error}`,
  date_from_datetime_parsing: (c) => `Input should be a valid date or datetime, ${c.error}`,
  date_from_datetime_inexact: () => 'Datetimes provided to dates should have zero time - e.g. be exact dates',
  json_invalid: () => 'JSON decode error',
  // Pydantic has no type of its own for an e-mail address.
  value_error: (c) =>
    c.reason === undefined ? `Value error, ${c.error}` : `value is not a valid email address: ${c.reason}`,
} satisfies Record<string, (ctx: Ctx) => string>;

export type FaultType = keyof typeof MESSAGES;

/** Why a value is refused, before it is known where the value stands. Never equal to a JSON value. */
export class Refusal {
  readonly type: FaultType;
  readonly ctx: Ctx | undefined;

  constructor(type: FaultType, ctx?: Ctx) {
    this.type = type;
    this.ctx = ctx;
  }
}

/** Stands for an input that must not be shown. */
export const HIDDEN = Symbol('hidden');

export function toFault({ type, ctx }: Refusal, loc: Loc, input: unknown = HIDDEN): Fault {
  const message: (ctx: Ctx) => string = MESSAGES[type];
  return {
    type,
    loc,
    msg: message(ctx ?? {}),
    ...(input !== HIDDEN && isEchoable(input) ? { input } : {}),
    ...(ctx ? { ctx } : {}),
  };
}

/** More would only swell the answer: a body of ten megabytes can hold millions of faults. */
const MAX_FAULTS = 10_000;

/** One walk over a value: the path to where it is, and what it has found. */
export class Pass {
  readonly faults: Fault[] = [];
  readonly path: Loc;
  readonly missingInput: 'enclosing' | 'null';

  constructor(loc: Loc, missingInput: 'enclosing' | 'null') {
    this.path = [...loc];
    this.missingInput = missingInput;
  }

  get full(): boolean {
    return this.faults.length >= MAX_FAULTS;
  }

  report(refusal: Refusal, input?: unknown): void {
    if (!this.full) this.faults.push(toFault(refusal, [...this.path], input));
  }
}
