/**
 * Turns a schema into the lax reader: the pass that explains. It is taken only when the strict check has refused a
 * value; it collects all faults in field order and makes the coerced, canonical copy.
 */
import type { TSchema } from 'typebox';
import type { Node } from '#contracts';
import { readDate, readDatetime, readDayOrInstant } from './datetime.ts';
import { decimalReader } from './decimal.ts';
import { HIDDEN, type Pass, Refusal } from './faults.ts';
import { isObject, readRecord } from './record.ts';
import { integerReader, readBoolean } from './scalars.ts';
import { isStorable } from './storable.ts';
import { textReader, wordReader } from './text.ts';
import { readUuid } from './uuid.ts';

/** Returns the coerced value; after reporting a fault what it returns is not used. */
export type Read = (value: unknown, pass: Pass) => unknown;
/** The value without its secrets, HIDDEN where nothing of it may be shown. */
type Redact = (value: unknown) => unknown;
/** A scalar's reader: the coerced value or a Refusal. */
type Convert = (value: unknown) => unknown;

const UNICODE = new Refusal('string_unicode');

const KINDS: Record<string, (node: Node) => Convert> = {
  uuid: () => readUuid,
  datetime: () => readDatetime,
  date: () => readDate,
  'day-or-instant': () => readDayOrInstant,
  integer: integerReader,
  boolean: () => readBoolean,
  // The decimals of answers are text with a pattern; only `decimalInput()` has bounds and takes numbers.
  decimal: (node) => (node['x-bounds'] ? decimalReader(node['x-bounds']) : textReader(node)),
};

function converter(node: Node): Convert {
  const kind = KINDS[node['x-kind'] ?? ''];
  if (kind) return kind(node);
  if (node.enum) return wordReader(node.enum);
  if (node.type === 'string') return textReader(node);
  throw new Error(`the request check knows no schema like ${JSON.stringify(node)}`);
}

/** Null and a schema; any other union has no building block. */
function nonNull(node: Node): TSchema | undefined {
  const rest = node.anyOf?.filter((schema) => (schema as Node).type !== 'null');
  return rest?.length === 1 && rest.length < (node.anyOf?.length ?? 0) ? rest[0] : undefined;
}

/** Null when the schema holds no secret and its values may be shown as they are. */
function redactor(node: Node): Redact | null {
  if (node.format === 'password') return () => HIDDEN;
  const inner = nonNull(node);
  if (inner) return redactor(inner as Node);
  if (node.items) {
    const item = redactor(node.items as Node);
    return (
      item && ((value) => (Array.isArray(value) ? value.map(item).filter((kept) => kept !== HIDDEN) : HIDDEN))
    );
  }
  const fields = Object.entries(node.properties ?? {}).map(
    ([name, field]) => [name, redactor(field as Node)] as const,
  );
  if (fields.every(([, redact]) => redact === null)) return null;
  // Fields that are not declared may be secrets with a misspelt name: only the declared ones are shown.
  return (value) => {
    if (!isObject(value)) return HIDDEN;
    const shown = fields
      .filter(([name]) => Object.hasOwn(value, name))
      .map(([name, redact]) => [name, redact ? redact(value[name]) : value[name]] as const);
    return Object.fromEntries(shown.filter(([, kept]) => kept !== HIDDEN));
  };
}

const show = (node: Node): Redact => redactor(node) ?? ((value) => value);

function scalarReader(node: Node): Read {
  const convert = converter(node);
  const shown = show(node);
  return (value, pass) => {
    if (typeof value === 'string' && !isStorable(value)) return pass.report(UNICODE);
    const result = convert(value);
    if (result instanceof Refusal) pass.report(result, shown(value));
    return result;
  };
}

function nullableReader(inner: TSchema): Read {
  const read = compileReader(inner);
  return (value, pass) => (value === null ? null : read(value, pass));
}

function arrayReader(node: Node): Read {
  const { minItems = 0, maxItems = Infinity } = node;
  const read = compileReader(node.items as TSchema);
  const shown = show(node);
  const size = (key: string, bound: number, actual: number) => ({
    field_type: 'List',
    [key]: bound,
    actual_length: actual,
  });
  return (value, pass) => {
    if (!Array.isArray(value)) return pass.report(new Refusal('list_type'), shown(value));
    const { length } = value;
    if (length > maxItems)
      return pass.report(new Refusal('too_long', size('max_length', maxItems, length)), shown(value));
    const before = pass.faults.length;
    const items: unknown[] = [];
    for (let index = 0; index < length && !pass.full; index++) {
      pass.path.push(index);
      items.push(read(value[index], pass));
      pass.path.pop();
    }
    if (length < minItems && pass.faults.length === before) {
      pass.report(new Refusal('too_short', size('min_length', minItems, length)), shown(value));
    }
    return items;
  };
}

function objectReader(node: Node): Read {
  const shown = show(node);
  const fields = Object.entries(node.properties ?? {}).map(([name, schema]) => ({
    name,
    read: compileReader(schema),
    required: (node.required ?? []).includes(name) && (schema as Node).default === undefined,
  }));
  const reportMissing = (value: unknown, pass: Pass) =>
    pass.report(new Refusal('missing'), pass.missingInput === 'null' ? null : shown(value));
  return (value, pass) => {
    if (!isObject(value)) return pass.report(new Refusal('model_attributes_type'), shown(value));
    const copy: Record<string, unknown> = {};
    for (const { name, read, required } of fields) {
      const given = value[name];
      if (given === undefined && !required) continue;
      pass.path.push(name);
      if (given !== undefined) copy[name] = read(given, pass);
      else reportMissing(value, pass);
      pass.path.pop();
    }
    return copy;
  };
}

/** Throws for a schema no building block makes, so that a mistake shows at the start and not in a request. */
export function compileReader(schema: TSchema): Read {
  const node = schema as Node;
  const inner = nonNull(node);
  if (inner) return nullableReader(inner);
  if (node['x-kind'] === 'record') return readRecord;
  if (node.type === 'object') return objectReader(node);
  return node.type === 'array' ? arrayReader(node) : scalarReader(node);
}
