/** For each operation of the contract the dearest requests that its schemas allow: longest texts, fullest lists, deepest objects. */
import type { TSchema } from 'typebox';
import { MAX_BATCH_BYTES, type Node, type Operation } from '#contracts';

export interface WorstRequest {
  /** What its texts are made of. */
  filler: string;
  url: string;
  body: string | null;
}

/** What texts are filled with: ordinary letters, what separates cells, lines and names, what patterns and numbers are made of. */
export const FILLERS = ['a', ';', ',', '*a', '"', '\n', 'a\n', '1;1\n', ' ', 'ä', '0', '%', '='];

/** Of a text without bounds. */
const LONG = 100_000;
/** So long an address may be with all headers. */
const MAX_QUERY = 12_000;
const SOME_ID = '0198c0de-0000-7000-8000-000000000000';

const BY_FORMAT: Record<string, string> = {
  uuid: SOME_ID,
  'date-time': '2026-01-31T12:00:00Z',
  date: '2026-01-31',
  email: `${'a'.repeat(60)}@${'b.'.repeat(90)}example`,
};

const filled = (filler: string, length: number) =>
  filler.repeat(Math.ceil(length / filler.length)).slice(0, length);

/** A free object, as deep and as full as the door lets it be. */
const deep = (): unknown => {
  let value: unknown = {};
  for (let level = 0; level < 60; level += 1) value = { [`n${level}`]: value, l: [level, level] };
  return value;
};

/** The dearest value of a schema, of about this size (bytes). */
function worstOf(schema: TSchema, filler: string, bytes: number): unknown {
  const node = schema as Node & { const?: unknown };
  if (node.const !== undefined) return node.const;
  if (node.enum) return node.enum.at(-1);
  if (node.anyOf) {
    const other = node.anyOf.find((branch) => (branch as Node).type !== 'null');
    return other ? worstOf(other, filler, bytes) : null;
  }
  if (node['x-kind'] === 'record') return deep();
  if (node['x-kind'] === 'decimal') return node['x-bounds']?.max ?? '1';
  if (node['x-kind'] === 'day-or-instant') return '2026-01-31';
  if (node.type === 'object') return worstObject(node, filler, bytes);
  if (node.type === 'array') return worstList(node, filler, bytes);
  if (node.type === 'integer' || node.type === 'number') return node.maximum ?? 1;
  if (node.type === 'boolean') return false;
  return worstText(node, filler, bytes);
}

function worstText({ format, maxLength = LONG, examples }: Node, filler: string, bytes: number): unknown {
  if (format !== undefined && BY_FORMAT[format] !== undefined) return BY_FORMAT[format];
  // Short forms, as of a month, are refused at once whatever they are.
  if (maxLength < 10 && examples?.length) return examples[0];
  const perCharacter = JSON.stringify(filled(filler, 40)).length / 40;
  return filled(filler, Math.min(maxLength, Math.floor(bytes / perCharacter)));
}

function worstObject({ properties = {} }: Node, filler: string, bytes: number): unknown {
  const fields = Object.entries(properties);
  return Object.fromEntries(
    fields.map(([name, schema]) => [name, worstOf(schema, filler, Math.floor(bytes / fields.length))]),
  );
}

function worstList({ items, maxItems = 10_000 }: Node, filler: string, bytes: number): unknown[] {
  const one = worstOf(items as TSchema, filler, bytes);
  const size = JSON.stringify(one).length + 1;
  const count = Math.max(1, Math.min(maxItems, Math.floor(bytes / size)));
  // Each another one, so that nothing is remembered from the one before.
  return Array.from({ length: count }, (_, n) => different(one, n));
}

function different(value: unknown, n: number): unknown {
  if (typeof value === 'string' && value.length > 8 && !Object.values(BY_FORMAT).includes(value))
    return `${value.slice(0, value.length - 8)}${String(n).padStart(8, '0')}`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, different(inner, n)]));
}

const queryOf = (operation: Operation, filler: string): string => {
  const values = operation.query
    ? (worstOf(operation.query, filler, MAX_QUERY / encodeURIComponent(filler).length) as object)
    : {};
  const query = Object.entries(values).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value)).slice(0, MAX_QUERY)}`,
  );
  const text = query.join('&').slice(0, MAX_QUERY).replace(/%.?$/, '');
  return text === '' ? '' : `?${text}`;
};

/** One for each filler, where that makes another one. `limit`: bytes of a body that the operation takes. */
export function worstRequests(
  operation: Operation,
  limit: number,
  fillers: readonly string[] = FILLERS,
): WorstRequest[] {
  const all = fillers.map((filler) => {
    const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
      const schema = operation.params?.properties[name] as TSchema;
      return encodeURIComponent(String(worstOf(schema, filler, 300)));
    });
    // Short of the limit by what names and signs take.
    const body = operation.body
      ? JSON.stringify(worstOf(operation.body, filler, Math.min(limit, MAX_BATCH_BYTES) * 0.9))
      : null;
    return { filler, url: path + queryOf(operation, filler), body };
  });
  return [...new Map(all.map((request) => [`${request.url} ${request.body}`, request])).values()];
}
