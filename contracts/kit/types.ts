/**
 * The building blocks of every schema: shapes, what fields mean (`field`), what they are when left out (`preset`), and objects
 * with a name of their own in the document (`component`). A shape carries the JSON Schema keywords of the OpenAPI document and,
 * where JSON Schema has no word for what the interface accepts, the keyword `x-kind`, which tells the request
 * check (`server/src/http/check`) how to read the value:
 *
 * | x-kind           | strict form            | the lax check also accepts                                   |
 * |------------------|------------------------|--------------------------------------------------------------|
 * | `uuid`           | canonical lower case   | upper case, no hyphens, braces, `urn:uuid:`                  |
 * | `datetime`       | `…T…Z`                 | what Pydantic v2 reads as a datetime (numbers are Unix time) |
 * | `date`           | `YYYY-MM-DD`           | what Pydantic v2 reads as a date                             |
 * | `local-datetime` | `…T…+02:00`             | (answers only)                                               |
 * | `day-or-instant` | one of these two       | what Pydantic v2 reads as a datetime                         |
 * | `integer`        | integer number         | `"12"`, `"1.0"`, `true`, …                                   |
 * | `boolean`        | boolean                | `"yes"`, `"off"`, `1`, …                                     |
 * | `decimal`        | plain decimal string   | numbers, `"1_000"`, `"1e3"`, … (`decimalInput()` only)       |
 * | `record`         | object                 |                                                              |
 */
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';

/** Inclusive bounds as decimal strings. */
export interface DecimalBounds {
  min?: string;
  max?: string;
}

/** The keywords the building blocks write. */
export interface Node {
  type?: string;
  'x-kind'?: string;
  'x-bounds'?: DecimalBounds;
  /** Published as `pattern`; the reader of the value explains what is wrong with it. */
  'x-pattern'?: string;
  'x-component'?: { name: string; description: string };
  description?: string;
  examples?: unknown[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  anyOf?: TSchema[];
  enum?: unknown[];
  properties?: Record<string, TSchema>;
  /** Keys of a free object that the document describes; the check leaves them to the domain. */
  'x-known'?: Record<string, TSchema>;
  required?: string[];
  items?: TSchema;
  minItems?: number;
  maxItems?: number;
  default?: unknown;
  /** Of a list in a query: one parameter holds several, with this between them. */
  'x-separator'?: string;
}

/** Largest count that survives JSON in every client: 2^53 - 1. */
export const MAX_COUNT = Number.MAX_SAFE_INTEGER;

/** The schema with further keywords; unlike a copy by `...` it keeps what TypeBox hides in it. */
const extended = <T extends TSchema>(schema: T, keywords: object): T =>
  Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(schema),
      ...Object.getOwnPropertyDescriptors(keywords),
    },
  ) as T;

/** What a field means, in English and Markdown, and perhaps examples of its value. */
export const field = <T extends TSchema>(
  schema: T,
  description: string,
  ...examples: NoInfer<Static<T>>[]
): T => extended(schema, { description, ...(examples.length === 0 ? {} : { examples }) });

/** An object with a name of its own in the document, and what it is, in English. */
export const component = <P extends TProperties>(name: string, description: string, fields: P): TObject<P> =>
  Type.Object(fields, { 'x-component': { name, description } });

/** A field that may be left out and then has this value. */
export type TPreset<T extends TSchema> = Type.TOptional<T> & { default: Static<T> };

export const preset = <T extends TSchema>(schema: T, value: NoInfer<Static<T>>): TPreset<T> =>
  extended(Type.Optional(schema), { default: value }) as TPreset<T>;

type Presets<P extends TProperties> = {
  [K in keyof P]: P[K] extends { default: unknown } ? K : never;
}[keyof P];

/** What the check makes of a value of the schema: its fields that have a default are there. */
export type Checked<S extends TSchema> =
  S extends TObject<infer P>
    ? Omit<Static<S>, Presets<P>> & Required<Pick<Static<S>, Presets<P> & keyof Static<S>>>
    : Static<S>;

/** Text; lengths count Unicode code points. NUL and lone surrogates are refused everywhere. */
export const text = (bounds: { min?: number; max?: number } = {}) =>
  Type.String({
    ...(bounds.min === undefined ? {} : { minLength: bounds.min }),
    ...(bounds.max === undefined ? {} : { maxLength: bounds.max }),
  });

/** In a query: one parameter with several values, with commas between them. Without it a list is a parameter that is repeated. */
export const separated = <T extends TSchema>(list: T): T => extended(list, { 'x-separator': ',' });

/** Text of a form that the domain checks and explains; the document shows the form as a pattern. */
export const formed = (pattern: string, max: number) => Type.String({ maxLength: max, 'x-pattern': pattern });

/** A text that is never echoed in an error: the 422 entries leave `input` out. */
export const secret = (bounds: { min?: number; max?: number } = {}) =>
  Type.String({ ...text(bounds), format: 'password', writeOnly: true });

/** A plausible e-mail address, at most 254 characters; else 422 `value_error`. */
export const email = () => Type.String({ maxLength: 254, format: 'email' });

/** One of the given words; else 422 `literal_error`. */
export const oneOf = <T extends string[]>(...words: T): Type.TEnum<T> => Type.Enum<T>(words);

/** UUID, canonical lower case after the check. */
export const uuid = () => Type.String({ format: 'uuid', 'x-kind': 'uuid' });

/** Instant; after the check ISO 8601 in UTC, to the microsecond at most. Without an offset it is read as UTC. */
export const datetime = () => Type.String({ format: 'date-time', 'x-kind': 'datetime' });

/** In answers: a local time of the Mandant, ISO 8601 with its offset from UTC. */
export const localDatetime = () =>
  Type.String({
    pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}[+-]\\d{2}:\\d{2}$',
    'x-kind': 'local-datetime',
  });

/** Calendar day `YYYY-MM-DD`. */
export const date = () => Type.String({ format: 'date', 'x-kind': 'date' });

/** A calendar day (local midnight of the Mandant) or an instant; after the check `YYYY-MM-DD` or ISO 8601 in UTC. */
export const dayOrInstant = () => Type.String({ 'x-kind': 'day-or-instant' });

/** Integer within bounds, at the widest those within which a number counts exactly. */
export const integer = (bounds: { min?: number; max?: number } = {}) =>
  Type.Integer({
    minimum: bounds.min ?? -MAX_COUNT,
    maximum: bounds.max ?? MAX_COUNT,
    'x-kind': 'integer',
  });

/** A count: 0 to 2^53 - 1. */
export const count = () => integer({ min: 0, max: MAX_COUNT });

/**
 * In answers: a sum of counts, which may be larger than any of them. A parser that reads JSON into floating-point numbers gets it
 * rounded from 2^53 on.
 */
export const sum = () => Type.Integer({ minimum: 0, 'x-kind': 'integer' });

export const boolean = () => Type.Boolean({ 'x-kind': 'boolean' });

/** Money and other exact numbers in answers: a plain decimal string, no exponent, no trailing zeros. */
export const decimal = () => Type.String({ pattern: '^-?\\d+(\\.\\d+)?$', 'x-kind': 'decimal' });

/**
 * Money and other exact numbers in requests: a JSON number or a text, within inclusive bounds given as decimal
 * strings; after the check a plain decimal string.
 */
export const decimalInput = (bounds: DecimalBounds = {}) =>
  Type.Unsafe<string>({
    anyOf: [{ type: 'number' }, { type: 'string' }],
    'x-kind': 'decimal',
    'x-bounds': bounds,
  });

/** Free object: finite numbers, at most 64 levels; its text is checked like all text. */
export const record = () =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, 'x-kind': 'record' });

/** A free object in which some keys have a meaning, with a name of its own in the document; it is read as any free object. */
export const freeData = (name: string, description: string, known: Record<string, TSchema>) =>
  Type.Unsafe<Record<string, unknown>>({
    ...record(),
    'x-component': { name, description },
    'x-known': known,
  });

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

/** A field that may be omitted or null; both mean the same. */
export const optional = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema));

export { type Static, type TSchema, Type };
