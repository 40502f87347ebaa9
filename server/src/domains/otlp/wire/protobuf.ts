/** Requests in Protocol Buffers: the messages of `opentelemetry/proto` that hold spans and log records; others are checked in their outline. */
import { Cursor } from './cursor.ts';
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

const STATUS_ERROR = 2;
/** Numbers of a log record's level from which it tells of an error. */
const SEVERITY_ERROR = 17;

/** How many attributes one record may still have. */
interface Budget {
  left: number;
}

const spend = (budget: Budget): void => {
  budget.left -= 1;
  if (budget.left < 0) throw new TooMuch('attributes');
};

/** By number of the field in `AnyValue`; undefined for a long text that is not read. */
const OF_VALUE: Record<
  number,
  (cursor: Cursor, most: number, budget: Budget, depth: number) => Value | undefined
> = {
  1: (cursor, most) => cursor.textUpTo(most) ?? undefined,
  2: (cursor) => cursor.integer() !== 0,
  3: (cursor) => cursor.integer(),
  4: (cursor) => cursor.double(),
  5: (cursor, most, budget, depth) => readList(cursor.message(), most, budget, depth + 1),
  6: (cursor, most, budget, depth) => readPairs(cursor.message(), most, budget, depth + 1),
};

/** A value; undefined where it is a long text that is not read, or none that has a meaning here. */
function readValue(cursor: Cursor, most: number, budget: Budget, depth: number): Value | undefined {
  if (depth > LIMITS.depth) throw new Unreadable('nesting');
  let value: Value | undefined;
  while (cursor.next()) {
    const read = OF_VALUE[cursor.field];
    if (read) value = read(cursor, most, budget, depth);
    else cursor.skip();
  }
  return value;
}

function readList(cursor: Cursor, most: number, budget: Budget, depth: number): Value[] {
  const values: Value[] = [];
  while (cursor.next()) {
    if (cursor.field !== 1) cursor.skip();
    else {
      spend(budget);
      values.push(readValue(cursor.message(), most, budget, depth) ?? null);
    }
  }
  return values;
}

function readPairs(cursor: Cursor, most: number, budget: Budget, depth: number): { [name: string]: Value } {
  const pairs: { [name: string]: Value } = Object.create(null);
  while (cursor.next()) {
    if (cursor.field === 1) readPair(cursor.message(), pairs, budget, depth, most);
    else cursor.skip();
  }
  return pairs;
}

function readPair(
  cursor: Cursor,
  into: { [name: string]: Value },
  budget: Budget,
  depth = 0,
  longest?: number,
): void {
  spend(budget);
  let name = '';
  let value: Value | undefined;
  while (cursor.next()) {
    if (cursor.field === 1) name = cursor.text();
    else if (cursor.field === 2) {
      const most = longest ?? (isReadLong(name) ? Number.POSITIVE_INFINITY : LONGEST_PLAIN);
      value = readValue(cursor.message(), most, budget, depth);
    } else cursor.skip();
  }
  if (value !== undefined) into[name] = value;
}

const ofOne = (): Budget => ({ left: LIMITS.attributes });

/** Attributes of a resource. */
function readResource(cursor: Cursor): Attributes {
  const attributes: { [name: string]: Value } = Object.create(null);
  const budget = ofOne();
  while (cursor.next()) {
    if (cursor.field === 1) readPair(cursor.message(), attributes, budget);
    else cursor.skip();
  }
  return attributes;
}

function readScope(cursor: Cursor): Pick<Origin, 'scope' | 'version'> {
  const scope = { scope: '', version: null as string | null };
  while (cursor.next()) {
    if (cursor.field === 1) scope.scope = cursor.text();
    else if (cursor.field === 2) scope.version = cursor.text() || null;
    else cursor.skip();
  }
  return scope;
}

function readEvent(cursor: Cursor, budget: Budget): SpanEvent {
  const attributes: { [name: string]: Value } = Object.create(null);
  const event = { name: '', at: 0, attributes };
  while (cursor.next()) {
    if (cursor.field === 1) event.at = cursor.microseconds();
    else if (cursor.field === 2) event.name = cursor.text();
    else if (cursor.field === 3) readPair(cursor.message(), attributes, budget);
    else cursor.skip();
  }
  return event;
}

function isError(cursor: Cursor): boolean {
  let failed = false;
  while (cursor.next()) {
    if (cursor.field === 3) failed = cursor.integer() === STATUS_ERROR;
    else cursor.skip();
  }
  return failed;
}

/** A record under way. */
type Draft = { -readonly [name in keyof OtlpRecord]: OtlpRecord[name] } & {
  attributes: { [name: string]: Value };
  events: SpanEvent[];
};

const draft = (signal: OtlpRecord['signal'], origin: Origin): Draft => ({
  signal,
  origin,
  trace: null,
  span: null,
  parent: null,
  name: '',
  begin: 0,
  end: 0,
  failed: false,
  attributes: Object.create(null),
  events: [],
});

/** By number of the field in `Span`. */
const OF_SPAN: Record<number, (cursor: Cursor, span: Draft, budget: Budget) => void> = {
  1: (cursor, span) => {
    span.trace = cursor.hex() || null;
  },
  2: (cursor, span) => {
    span.span = cursor.hex() || null;
  },
  4: (cursor, span) => {
    span.parent = cursor.hex() || null;
  },
  5: (cursor, span) => {
    span.name = cursor.text();
  },
  7: (cursor, span) => {
    span.begin = cursor.microseconds();
  },
  8: (cursor, span) => {
    span.end = cursor.microseconds();
  },
  9: (cursor, span, budget) => readPair(cursor.message(), span.attributes, budget),
  11: (cursor, span, budget) => {
    span.events.push(readEvent(cursor.message(), budget));
  },
  15: (cursor, span) => {
    span.failed = isError(cursor.message());
  },
};

/** By number of the field in `LogRecord`. */
const OF_LOG: Record<number, (cursor: Cursor, log: Draft, budget: Budget) => void> = {
  1: (cursor, log) => {
    log.begin = cursor.microseconds() || log.begin;
  },
  2: (cursor, log) => {
    log.failed = cursor.integer() >= SEVERITY_ERROR;
  },
  5: (cursor, log, budget) => {
    const body = readValue(cursor.message(), LONGEST_PLAIN, budget, 0);
    if (typeof body === 'string' && log.name === '') log.name = body;
  },
  6: (cursor, log, budget) => readPair(cursor.message(), log.attributes, budget),
  9: (cursor, log) => {
    log.trace = cursor.hex() || null;
  },
  10: (cursor, log) => {
    log.span = cursor.hex() || null;
  },
  11: (cursor, log) => {
    log.begin ||= cursor.microseconds();
  },
  12: (cursor, log) => {
    log.name = cursor.text() || log.name;
  },
};

function readRecord(cursor: Cursor, signal: OtlpRecord['signal'], origin: Origin): OtlpRecord {
  const fields = signal === 'span' ? OF_SPAN : OF_LOG;
  const record = draft(signal, origin);
  const budget = ofOne();
  while (cursor.next()) {
    const take = fields[cursor.field];
    const before = cursor.at;
    if (take) take(cursor, record, budget);
    // A field that its reader left alone.
    if (!take || cursor.at === before) cursor.skip();
  }
  if (signal === 'log') record.end = record.begin;
  return record;
}

/** Spans or log records of one scope. The scope may stand behind them. */
function readScoped(
  cursor: Cursor,
  signal: OtlpRecord['signal'],
  resource: Attributes,
  into: OtlpRecord[],
): void {
  const origin: Origin = { resource, scope: '', version: null };
  while (cursor.next()) {
    if (cursor.field === 1) Object.assign(origin, readScope(cursor.message()));
    else if (cursor.field === 2) {
      if (into.length >= LIMITS.records) throw new TooMuch('records');
      into.push(readRecord(cursor.message(), signal, origin));
    } else cursor.skip();
  }
}

/** The records of a request: `TracesData` and `LogsData` have the same outline as what exporters send. */
export function readProtobuf(bytes: Buffer, signal: OtlpRecord['signal']): OtlpRecord[] {
  const records: OtlpRecord[] = [];
  const request = new Cursor(bytes);
  while (request.next()) {
    if (request.field !== 1) {
      request.skip();
      continue;
    }
    const part = request.message();
    const resource: { [name: string]: Value } = Object.create(null);
    while (part.next()) {
      if (part.field === 1) Object.assign(resource, readResource(part.message()));
      else if (part.field === 2) readScoped(part.message(), signal, resource, records);
      else part.skip();
    }
  }
  return records;
}

/** Whether the bytes are fields one behind the other: of what is not read no more has to be known. */
export function checkOutline(bytes: Buffer): void {
  const request = new Cursor(bytes);
  while (request.next()) {
    if (request.field !== 1) request.skip();
    else for (const part = request.message(); part.next(); ) part.skip();
  }
}
