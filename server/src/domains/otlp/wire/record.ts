/** What the readers make of a request, whatever form it came in: spans and log records, flat, with what they belong to. */

/** Attributes may hold lists and objects in each other. */
export type Value = string | number | boolean | null | Value[] | { [name: string]: Value };
export type Attributes = Readonly<Record<string, Value>>;

/** Where records come from: the resource and the instrumentation. */
export interface Origin {
  resource: Attributes;
  /** Name of the instrumentation scope; '' where it has none. */
  scope: string;
  version: string | null;
}

export interface SpanEvent {
  name: string;
  /** Microseconds since 1970. */
  at: number;
  attributes: Attributes;
}

export interface OtlpRecord {
  signal: 'span' | 'log';
  origin: Origin;
  /** Lower-case hex; null where there is none. */
  trace: string | null;
  span: string | null;
  parent: string | null;
  /** Of a span its name, of a log record that of its event, else its body where that is a text. */
  name: string;
  /** Microseconds since 1970. */
  begin: number;
  end: number;
  failed: boolean;
  attributes: Attributes;
  events: readonly SpanEvent[];
}

/** What was sent cannot be read; answered with 400. */
export class Unreadable extends Error {}

/** More of something than a request may hold; answered with 413. */
export class TooMuch extends Error {}

/** Bounds of one request besides its bytes. */
export const LIMITS = {
  records: 20_000,
  /** Of one record, those of its events included. */
  attributes: 2_000,
  depth: 24,
} as const;

/** Longer texts are read of those attributes alone whose content something is made of. */
export const LONGEST_PLAIN = 512;

/** Attributes whose long texts are read: counts hide in some, of others fingerprints and ids are made. */
const LONG = new RegExp(
  `^(${[
    'ai\\.response\\.providerMetadata',
    'ai\\.prompt(\\.messages)?',
    'ai\\.response\\.toolCalls',
    'langfuse\\.observation\\.(usage_details|input|output|metadata|metadata\\..*)',
    'langfuse\\.trace\\.metadata(\\..*)?',
    'langsmith\\.metadata\\.usage_metadata',
    'metadata(\\.usage_object)?',
    'input\\.value',
    'output\\.value',
    'gen_ai\\.(prompt|completion|input\\.messages|output\\.messages)',
    'content',
    'message',
  ].join('|')})$`,
);

const known = new Map<string, boolean>();
/** Names remembered at most, since senders choose them. */
const REMEMBERED = 2_000;

/** Whether a long text is read under this name. */
export function isReadLong(name: string): boolean {
  const found = known.get(name);
  if (found !== undefined) return found;
  const long = LONG.test(name);
  if (known.size < REMEMBERED) known.set(name, long);
  return long;
}
