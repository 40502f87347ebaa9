/** Reads bodies: small ones on the event loop, others in the reading thread, in one way. What leaves it has no word of a prompt. */
import { KeyedPrints } from '#client/prints/sim-hash.ts';
import {
  MAX_OTLP_BYTES,
  type Operation,
  otlpLangfuse,
  otlpLangsmith,
  otlpLogs,
  otlpLogsShort,
  otlpMetrics,
  otlpMetricsShort,
  otlpOpenaiAgents,
  otlpTraces,
  otlpTracesShort,
} from '#contracts';
import { type BodyReader, type ReadAside, tooLarge, UnreadableBody } from '#http/index.ts';
import { type ReducedRecords, reduceRecords } from '../convert/reduce.ts';
import { withDefaults } from '../convert/who.ts';
import type { ToldBy } from '../service/accept.ts';
import { parseJson, readJson } from '../wire/json.ts';
import { readOpenAiAgents } from '../wire/openai-agents.ts';
import { checkOutline, readProtobuf } from '../wire/protobuf.ts';
import { type OtlpRecord, TooMuch, Unreadable } from '../wire/record.ts';

export const PROTOBUF = 'application/x-protobuf';

export type Form = 'json' | 'protobuf';

/** What was sent, and how it is answered. */
export type Sent = ReducedRecords & { form: Form };

/** Milliseconds of CPU time that reading and reducing a record may take: three to five times what ordinary ones take. */
const WORTH_OF_A_RECORD = 0.3;

/** What cannot be read is refused for good: exporters do not send it again. */
function refusing<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof TooMuch) throw tooLarge();
    if (error instanceof Unreadable) throw new UnreadableBody();
    throw error;
  }
}

/** Keys of prints that are remembered in a thread, half a megabyte with each: one for each Mandant that sends. */
const MOST_KEYS = 50;

const printsByKey = new Map<string, KeyedPrints>();

/** Prints under a key; the hashes of common words are remembered with it. */
function printsUnder(key: string): KeyedPrints {
  const found = printsByKey.get(key);
  if (found) return found;
  if (printsByKey.size >= MOST_KEYS) printsByKey.clear();
  const keyed = new KeyedPrints(key);
  printsByKey.set(key, keyed);
  return keyed;
}

/** A reader of records: they are reduced at once, for who sends them. */
const reading =
  (form: Form, recordsIn: (bytes: Buffer) => OtlpRecord[]): BodyReader<Sent> =>
  (bytes, _general, { known, receivedAt: now }) => {
    const { key, names, annahmeAb } = known as ToldBy;
    const records = refusing(() => recordsIn(bytes));
    const told = reduceRecords(records, {
      names: withDefaults(names),
      keyed: printsUnder(key),
      now,
      annahmeAb,
    });
    return { ok: true, value: { form, ...told }, worth: WORTH_OF_A_RECORD * records.length };
  };

/** A reader of what nothing is kept of but how it is answered. */
const checking =
  (form: Form, check: (bytes: Buffer) => unknown): BodyReader<Pick<Sent, 'form'>> =>
  (bytes) => {
    refusing(() => check(bytes));
    return { ok: true, value: { form }, worth: 0 };
  };

const ofSignal = (signal: OtlpRecord['signal']) => ({
  [PROTOBUF]: reading('protobuf', (bytes) => readProtobuf(bytes, signal)),
  'application/json': reading('json', (bytes) => readJson(parseJson(bytes), signal)),
});

/** Readers by signal; of metrics nothing but the outline is read. */
export const READERS = {
  spans: ofSignal('span'),
  logs: ofSignal('log'),
  metrics: {
    [PROTOBUF]: checking('protobuf', checkOutline),
    'application/json': checking('json', parseJson),
  },
  openaiAgents: { 'application/json': reading('json', (bytes) => readOpenAiAgents(parseJson(bytes))) },
};

const READ: [keyof typeof READERS, Operation[]][] = [
  ['spans', [otlpTraces, otlpTracesShort, otlpLangfuse, otlpLangsmith]],
  ['logs', [otlpLogs, otlpLogsShort]],
  ['metrics', [otlpMetrics, otlpMetricsShort]],
  ['openaiAgents', [otlpOpenaiAgents]],
];

/** For the reading thread. */
export const otlpAside = (): ReadAside[] =>
  READ.flatMap(([signal, operations]) =>
    operations.map((operation) => ({ operation, bodyLimit: MAX_OTLP_BYTES, readers: READERS[signal] })),
  );
