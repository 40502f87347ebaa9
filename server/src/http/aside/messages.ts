/** What the event loop and the reading thread tell each other. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ErrorCode } from '#contracts';
import { InvalidInput, type ValueFault } from '#kernel/errors.ts';
import type { Sentence } from '#kernel/sentence.ts';
import type { Fault } from '../check/index.ts';
import { HttpError, InvalidRequest, UnreadableBody } from '../errors.ts';
import type { ReadBody } from '../readers.ts';

/** A body to be read. */
export interface ToRead {
  number: number;
  /** Id of the operation it was sent to. */
  operation: string;
  /** As it came, packed or not. */
  raw: Uint8Array;
  header: IncomingHttpHeaders;
  receivedAt: Date;
  known: unknown;
}

/** A refusal, as what it was before it crossed from one thread to the other. */
type Refusal =
  | { kind: 'http'; status: number; code: ErrorCode; detail: Sentence }
  | { kind: 'refused'; faults: readonly ValueFault[]; more: number }
  | { kind: 'invalid'; faults: Fault[] }
  | { kind: 'unreadable' };

/** What became of a body. */
export interface WasRead {
  number: number;
  /** Milliseconds of CPU time that it took. */
  cpu: number;
  outcome: { body: ReadBody<unknown> } | { refusal: Refusal } | { error: Error };
}

/** What a reader has thrown, to be sent across. */
export function outcomeOf(error: unknown): WasRead['outcome'] {
  if (error instanceof HttpError) {
    const { status, code, detail } = error;
    return { refusal: { kind: 'http', status, code, detail } };
  }
  if (error instanceof InvalidInput) {
    const { faults, more } = error;
    return { refusal: { kind: 'refused', faults, more } };
  }
  if (error instanceof InvalidRequest) return { refusal: { kind: 'invalid', faults: error.faults } };
  if (error instanceof UnreadableBody) return { refusal: { kind: 'unreadable' } };
  return { error: error instanceof Error ? error : new Error(String(error)) };
}

/** The body, or throws what its reader has thrown. */
export function bodyOfOutcome(outcome: WasRead['outcome']): ReadBody<unknown> {
  if ('body' in outcome) return outcome.body;
  if ('error' in outcome) throw outcome.error;
  const { refusal } = outcome;
  if (refusal.kind === 'http') throw new HttpError(refusal.status, refusal.code, refusal.detail);
  if (refusal.kind === 'refused') {
    const { faults, more } = refusal;
    throw new InvalidInput(faults, { most: faults.length, more });
  }
  if (refusal.kind === 'invalid') throw new InvalidRequest(refusal.faults);
  throw new UnreadableBody();
}

/** Bytes that have their memory for themselves, as they must to be handed over without a copy. */
export const alone = (bytes: Uint8Array): Uint8Array<ArrayBuffer> =>
  bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer
    ? (bytes as Uint8Array<ArrayBuffer>)
    : new Uint8Array(bytes);

/** How many bytes a value holds that was read, at its top. */
export const bytesIn = (value: unknown): number =>
  Object.values(value ?? {}).reduce(
    (sum: number, item) => sum + (item instanceof Uint8Array ? item.byteLength : 0),
    0,
  );
