/** What the doors have in common: from bytes to records, and an answer in the form of the request. */
import { MAX_OTLP_BYTES } from '#contracts';
import { type BodyReader, Content, type RouteOptions, tooLarge, UnreadableBody } from '#http/index.ts';
import { AppError, unavailable } from '#kernel/errors.ts';
import { CallerGone } from '#platform/caller.ts';
import type { Log } from '#platform/log.ts';
import type { Taken } from '../service/accept.ts';
import { readJson } from '../wire/json.ts';
import { checkOutline, readProtobuf } from '../wire/protobuf.ts';
import { type OtlpRecord, TooMuch, Unreadable } from '../wire/record.ts';
import { bytesField, countField, rpcStatus } from '../wire/status.ts';

const PROTOBUF = 'application/x-protobuf';

/** What was sent, and how it is answered. */
export interface Sent {
  records: OtlpRecord[];
  form: 'json' | 'protobuf';
}

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

const read = (records: OtlpRecord[], form: Sent['form']): ReturnType<BodyReader<Sent>> => ({
  ok: true,
  value: { records, form },
  worth: WORTH_OF_A_RECORD * records.length,
});

const COMMA = 0x2c;
const COLON = 0x3a;
/** Values of all kinds, as many as the kit allows in any JSON: more cost many times what as many bytes of ordinary data do. */
const MAX_VALUES = 400_000;

/** JSON, whose many small objects the kit would not take: in OTLP every attribute has three. */
function parse(bytes: Buffer): unknown {
  let values = 0;
  for (const byte of bytes) if (byte === COMMA || byte === COLON) values += 1;
  if (values > MAX_VALUES) throw new TooMuch('values');
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new Unreadable('no JSON');
  }
}

/** Readers of a signal. */
export function readersOf(signal: OtlpRecord['signal']): RouteOptions<Sent> {
  const protobuf: BodyReader<Sent> = (bytes) =>
    read(
      refusing(() => readProtobuf(bytes, signal)),
      'protobuf',
    );
  const json: BodyReader<Sent> = (bytes) =>
    read(
      refusing(() => readJson(parse(bytes), signal)),
      'json',
    );
  return ofBoth(protobuf, json);
}

/** Of metrics nothing but the outline is read. */
export function readersOfMetrics(): RouteOptions<Sent> {
  const protobuf: BodyReader<Sent> = (bytes) => {
    refusing(() => checkOutline(bytes));
    return read([], 'protobuf');
  };
  const json: BodyReader<Sent> = (bytes) => {
    refusing(() => parse(bytes));
    return read([], 'json');
  };
  return ofBoth(protobuf, json);
}

/** A reader of JSON alone. */
export const readersOfJson = (records: (body: unknown) => OtlpRecord[]): RouteOptions<Sent> => ({
  bodyLimit: MAX_OTLP_BYTES,
  readers: {
    'application/json': (bytes) =>
      read(
        refusing(() => records(parse(bytes))),
        'json',
      ),
  },
});

const ofBoth = (protobuf: BodyReader<Sent>, json: BodyReader<Sent>): RouteOptions<Sent> => ({
  bodyLimit: MAX_OTLP_BYTES,
  readers: { [PROTOBUF]: protobuf, 'application/json': json },
  refusedAs,
});

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
const refusedAs: NonNullable<RouteOptions<Sent>['refusedAs']> = ({ headers }, status, said) =>
  /^application\/x-protobuf\b/i.test(headers['content-type'] ?? '')
    ? new Content(PROTOBUF, rpcStatus(status, sentenceOf(said)))
    : null;

/** The answer, in the form of the request. */
export function answerOf(form: Sent['form'], { refused }: Taken, signal: OtlpRecord['signal']): Content {
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
