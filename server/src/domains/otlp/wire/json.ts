/** Requests in JSON: numbers as text or number, enums as number or name, ids as hex, whole names in camel case. */
import { checkExtent } from './extent.ts';
import {
  type Attributes,
  isReadLong,
  LIMITS,
  LONGEST_PLAIN,
  type Origin,
  type OtlpRecord,
  type SpanEvent,
  TooMuch,
  Unreadable,
  type Value,
} from './record.ts';

type Json = Record<string, unknown>;

/** JSON, whose many small objects the kit would not take: in OTLP every attribute has three. */
export function parseJson(bytes: Buffer): unknown {
  checkExtent(bytes);
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Unreadable('no JSON');
  }
}

const objectOf = (value: unknown): Json => {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) throw new Unreadable('object expected');
  return value as Json;
};

const listOf = (value: unknown): unknown[] => {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw new Unreadable('list expected');
  return value;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

function idOf(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || !/^[0-9a-f]+$/i.test(value)) throw new Unreadable('id');
  return value.toLowerCase();
}

/** As many nanoseconds as Protocol Buffers can say. */
const MOST_NANOSECONDS = 2 ** 64;

/** Nanoseconds as text or number; what is none is 0. */
function microsecondsOf(value: unknown): number {
  if (typeof value === 'number' && value >= 0 && value <= MOST_NANOSECONDS) return Math.floor(value / 1_000);
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) return 0;
  return Number(BigInt(value) / 1_000n);
}

interface Budget {
  left: number;
}

function readAny(any: unknown, most: number, budget: Budget, depth: number): Value | undefined {
  if (depth > LIMITS.depth) throw new Unreadable('nesting');
  const value = objectOf(any);
  if (value.stringValue !== undefined) {
    const text = textOf(value.stringValue);
    return text.length > most ? undefined : text;
  }
  if (value.boolValue !== undefined) return value.boolValue === true;
  if (value.intValue !== undefined) return Number(value.intValue);
  if (value.doubleValue !== undefined) return Number(value.doubleValue);
  if (value.arrayValue !== undefined)
    return listOf(objectOf(value.arrayValue).values).map((each) => {
      spend(budget);
      return readAny(each, most, budget, depth + 1) ?? null;
    });
  if (value.kvlistValue !== undefined)
    return pairsOf(objectOf(value.kvlistValue).values, budget, depth + 1, most);
  return undefined;
}

const spend = (budget: Budget): void => {
  budget.left -= 1;
  if (budget.left < 0) throw new TooMuch('attributes');
};

function pairsOf(list: unknown, budget: Budget, depth = 0, longest?: number): { [name: string]: Value } {
  const pairs: { [name: string]: Value } = Object.create(null);
  for (const each of listOf(list)) {
    spend(budget);
    const { key, value } = objectOf(each);
    const name = textOf(key);
    const most = longest ?? (isReadLong(name) ? Number.POSITIVE_INFINITY : LONGEST_PLAIN);
    const read = readAny(value, most, budget, depth);
    if (read !== undefined) pairs[name] = read;
  }
  return pairs;
}

const ofOne = (): Budget => ({ left: LIMITS.attributes });

const STATUS_ERRORS = new Set<unknown>([2, '2', 'STATUS_CODE_ERROR']);
const SEVERITY_ERROR = 17;

const isSevere = (value: unknown): boolean =>
  typeof value === 'string' && !/^\d+$/.test(value)
    ? /^SEVERITY_NUMBER_(ERROR|FATAL)/.test(value)
    : Number(value ?? 0) >= SEVERITY_ERROR;

const eventOf = (event: Json, budget: Budget): SpanEvent => ({
  name: textOf(event.name),
  at: microsecondsOf(event.timeUnixNano),
  attributes: pairsOf(event.attributes, budget),
});

function spanOf(span: Json, origin: Origin): OtlpRecord {
  const budget = ofOne();
  return {
    signal: 'span',
    origin,
    trace: idOf(span.traceId),
    span: idOf(span.spanId),
    parent: idOf(span.parentSpanId),
    name: textOf(span.name),
    begin: microsecondsOf(span.startTimeUnixNano),
    end: microsecondsOf(span.endTimeUnixNano),
    failed: STATUS_ERRORS.has(objectOf(span.status).code),
    attributes: pairsOf(span.attributes, budget),
    events: listOf(span.events).map((event) => eventOf(objectOf(event), budget)),
  };
}

function logOf(log: Json, origin: Origin): OtlpRecord {
  const budget = ofOne();
  const at = microsecondsOf(log.timeUnixNano) || microsecondsOf(log.observedTimeUnixNano);
  const body = readAny(log.body, LONGEST_PLAIN, budget, 0);
  return {
    signal: 'log',
    origin,
    trace: idOf(log.traceId),
    span: idOf(log.spanId),
    parent: null,
    name: textOf(log.eventName) || (typeof body === 'string' ? body : ''),
    begin: at,
    end: at,
    failed: isSevere(log.severityNumber),
    attributes: pairsOf(log.attributes, budget),
    events: [],
  };
}

/** Under which names each signal has its parts. */
const NAMES = {
  span: { resources: 'resourceSpans', scopes: 'scopeSpans', records: 'spans', read: spanOf },
  log: { resources: 'resourceLogs', scopes: 'scopeLogs', records: 'logRecords', read: logOf },
} as const;

/** The records of a request that JSON has said. */
export function readJson(body: unknown, signal: OtlpRecord['signal']): OtlpRecord[] {
  const names = NAMES[signal];
  const records: OtlpRecord[] = [];
  for (const part of listOf(objectOf(body)[names.resources]).map(objectOf)) {
    const resource: Attributes = pairsOf(objectOf(part.resource).attributes, ofOne());
    for (const scoped of listOf(part[names.scopes]).map(objectOf)) {
      const scope = objectOf(scoped.scope);
      const origin = { resource, scope: textOf(scope.name), version: textOf(scope.version) || null };
      for (const record of listOf(scoped[names.records])) {
        if (records.length >= LIMITS.records) throw new TooMuch('records');
        records.push(names.read(objectOf(record), origin));
      }
    }
  }
  return records;
}
