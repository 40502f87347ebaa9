/** What the doors have in common: their readers, and an answer in the form of the request. */
import { MAX_OTLP_BYTES } from '#contracts';
import { Content, type RouteOptions } from '#http/index.ts';
import { AppError, unavailable } from '#kernel/errors.ts';
import { CallerGone } from '#platform/caller.ts';
import type { Log } from '#platform/log.ts';
import type { Doors, Taken } from '../service/accept.ts';
import type { OtlpRecord } from '../wire/record.ts';
import { bytesField, countField, rpcStatus } from '../wire/status.ts';
import { type Form, PROTOBUF, READERS, type Sent } from './body.ts';

const WHY = 'time outside of what is counted';

/** `ExportTracePartialSuccess` in Protocol Buffers: how many, and why. */
const partialSuccess = (refused: number): Buffer =>
  bytesField(1, Buffer.concat([countField(1, refused), bytesField(2, Buffer.from(WHY))]));

/** What is said in JSON, in one sentence. */
function sentenceOf(said: string): string {
  const { detail } = JSON.parse(said) as { detail?: unknown };
  if (typeof detail === 'string') return detail;
  const [first] = Array.isArray(detail) ? detail : [];
  return typeof first?.msg === 'string' ? first.msg : said;
}

/** What came in Protocol Buffers is refused in them. */
const refusedAs: NonNullable<RouteOptions['refusedAs']> = ({ headers }, status, said) =>
  /^application\/x-protobuf\b/i.test(headers['content-type'] ?? '')
    ? new Content(PROTOBUF, rpcStatus(status, sentenceOf(said)))
    : null;

/** The answer, in the form of the request. */
export function answerOf(form: Form, { refused }: Taken, signal: OtlpRecord['signal']): Content {
  if (form === 'protobuf')
    return new Content(PROTOBUF, refused === 0 ? Buffer.alloc(0) : partialSuccess(refused));
  const name = signal === 'log' ? 'rejectedLogRecords' : 'rejectedSpans';
  const said = refused === 0 ? {} : { partialSuccess: { [name]: String(refused), errorMessage: WHY } };
  return new Content('application/json; charset=utf-8', JSON.stringify(said));
}

/** Exporters give up at once after a 500, and what they had is lost; after a 503 they try again. */
export async function neverBroken<T>(log: Log, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError || error instanceof CallerGone) throw error;
    log.error({ err: error }, 'a delivery of OpenTelemetry could not be stored');
    throw unavailable(
      'ueberlastet',
      { de: 'Das konnte gerade nicht gespeichert werden.', en: 'This could not be stored right now.' },
      2,
    );
  }
}

const common = { bodyLimit: MAX_OTLP_BYTES, refusedAs };

/** Of a route whose bodies tell of calls: they are reduced as they are read, for who sends them. */
export const readersOf = (
  signal: Exclude<keyof typeof READERS, 'metrics'>,
  doors: Doors,
  log: Log,
): RouteOptions<Sent> => ({
  ...common,
  readers: READERS[signal],
  fromAside: (read) => read as Sent,
  known: (sender) => neverBroken(log, () => doors.by(sender)),
});

export const readersOfMetrics: RouteOptions<Pick<Sent, 'form'>> = {
  ...common,
  readers: READERS.metrics,
  fromAside: (read) => read as Sent,
};
