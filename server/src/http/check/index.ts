/**
 * Port of Pydantic v2's rules: what they accept, how they coerce it and in which words they refuse the rest. Finished: do not
 * extend it, and let nothing depend on its inner types; this file is its only door.
 *
 * The request check: one schema, two passes. The strict pass is compiled and takes canonical values as they are; what
 * it refuses goes to the lax pass, which reads what Pydantic v2 reads and explains in its words what it cannot read.
 */
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Format } from 'typebox/format';
import type { Node } from '#contracts';
import { emailProblem } from '#kernel/email.ts';
import { isDay, isInstant } from './datetime.ts';
import { type Fault, type Loc, Pass, Refusal } from './faults.ts';
import { compileReader } from './readers.ts';
import { holdsStorableText } from './storable.ts';
import { refined } from './strict.ts';
import { isCanonicalUuid } from './uuid.ts';

export { isInstant } from './datetime.ts';
export { shortText, shown } from './echo.ts';
export { Extent, excessOf } from './extent.ts';
export type { Fault } from './faults.ts';
export { missingBody, parseJson } from './json.ts';
export { isTame } from './storable.ts';

// The strict pass knows canonical values only.
Format.Set('uuid', isCanonicalUuid);
Format.Set('date-time', isInstant);
Format.Set('date', isDay);
Format.Set('email', (text) => emailProblem(text) === null);

interface CheckOptions {
  /** What a missing field shows as its input: the object that lacks it (bodies) or null (parameters). */
  missingInput?: 'enclosing' | 'null';
  /** The value comes from text without `\u` escapes: neither NUL nor lone surrogates can occur in it. */
  plainText?: boolean;
}

type CheckResult = { ok: true; value: unknown } | { ok: false; faults: Fault[] };
export type Check = (value: unknown, loc: Loc, options?: CheckOptions) => CheckResult;

/** The defaults of the schema's own fields; null when there are none. */
function defaultsOf({ properties = {} }: Node): Record<string, unknown> | null {
  const fields = Object.entries(properties).map(([name, field]) => [name, (field as Node).default] as const);
  const given = fields.filter(([, value]) => value !== undefined);
  return given.length === 0 ? null : Object.fromEntries(given);
}

function filled(value: object, defaults: Record<string, unknown>): unknown {
  const copy: Record<string, unknown> = { ...value };
  for (const name in defaults) {
    // Cloned, so that nobody can change the default of the next request.
    if (copy[name] === undefined) copy[name] = structuredClone(defaults[name]);
  }
  return copy;
}

/** A field with a default may be missing, whether or not it is declared optional. */
function strictSchema(schema: TSchema, defaults: Record<string, unknown> | null): TSchema {
  const { required } = schema as Node;
  return defaults && required
    ? { ...schema, required: required.filter((name) => !(name in defaults)) }
    : schema;
}

/**
 * Compiles the check of a schema made of the building blocks; throws for any other schema.
 *
 * The check returns the value itself when it is canonical (unknown fields and all), else a coerced copy of the
 * known fields, else all faults in field order. Defaults are filled for the fields of the schema itself, not for
 * those of objects further inside. A value that is null or undefined where the schema has no null is `missing`.
 */
export const compileCheck = (schema: TSchema): Check => checks.getOrInsertComputed(schema, compile);

/** What several operations, or several services of a process, have in common is compiled once. */
const checks = new WeakMap<TSchema, Check>();

function compile(schema: TSchema): Check {
  const defaults = defaultsOf(schema as Node);
  const strict = Compile(refined(strictSchema(schema, defaults)));
  const read = compileReader(schema);
  const done = (value: unknown): CheckResult => ({
    ok: true,
    value: defaults && typeof value === 'object' && value !== null ? filled(value, defaults) : value,
  });
  return (value, loc, { missingInput = 'enclosing', plainText = false } = {}) => {
    if (strict.Check(value) && (plainText || holdsStorableText(value))) return done(value);
    const pass = new Pass(loc, missingInput);
    if (value === undefined || value === null) pass.report(new Refusal('missing'), null);
    const copy = pass.faults.length === 0 ? read(value, pass) : undefined;
    return pass.faults.length === 0 ? done(copy) : { ok: false, faults: pass.faults };
  };
}
