/**
 * Reads a file in the browser, piece by piece, with the readers of the package: what is counted of its calls leaves the machine, and
 * nothing else that stands in it.
 */
import { sha256 } from '@noble/hashes/sha2.js';
import type { Ereignis } from '../../../../clients/typescript/src/event.ts';
import { ExportReader } from '../../../../clients/typescript/src/importers/index.ts';
import { ApiError } from '../../api/error.ts';
import type { InputOf } from '../../api/operations.ts';
import { TooManyCalls } from './too-many-calls.ts';

/** Calls of a part. */
const PART = 500;
/** Parts that an import may have. */
const MOST_PARTS = 1_000;

/** How far reading has come. */
export interface Reading {
  bytes: number;
  calls: number;
}

/** What a file is, once it was read. */
export type ReadFile = InputOf<'importAbschliessen'>['body'];

/** Hands in a part; throws an ApiError where the service refuses it. */
export type SendPart = (nr: number, events: Ereignis[]) => Promise<unknown>;

/** Which events of a part a refusal is about. */
const refusedIn = (error: unknown): Set<number> =>
  new Set(
    error instanceof ApiError && error.status === 422
      ? error.faults.flatMap(({ loc }) => (typeof loc[2] === 'number' ? [loc[2]] : []))
      : [],
  );

/** How often a part is sent again that the service has no room for, or that did not reach it. */
const TRIES = 10;

const pause = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000));

/** Sends a part; what comes twice is taken once. Waits where the service asks for that, or is away for a moment. */
async function sendPatiently(send: SendPart, nr: number, events: Ereignis[]): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await send(nr, events);
      return;
    } catch (error) {
      const mayPass = error instanceof ApiError && [0, 429, 503].includes(error.status);
      if (!mayPass || tries === TRIES) throw error;
      await pause(error.retryAfter ?? 1);
    }
}

/** Sends a part without those that the service takes no call of; resolves with how many they are. */
async function sendTaken(send: SendPart, nr: number, events: Ereignis[]): Promise<number> {
  let rest = events;
  for (;;)
    try {
      await sendPatiently(send, nr, rest);
      return events.length - rest.length;
    } catch (error) {
      const refused = refusedIn(error);
      if (refused.size === 0) throw error;
      rest = rest.filter((_, index) => !refused.has(index));
    }
}

const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Sends the calls of a file part by part and resolves with what it is. Throws NotImportable, TooManyCalls and what `send` throws. */
export async function readFile(
  file: Blob,
  send: SendPart,
  onProgress: (reading: Reading) => void = () => undefined,
): Promise<ReadFile> {
  const reader = new ExportReader();
  const hash = sha256.create();
  const decoder = new TextDecoder();
  let waiting: Ereignis[] = [];
  let parts = 0;
  let refused = 0;
  const reading = { bytes: 0, calls: 0 };
  const take = async (events: Ereignis[], isLast: boolean) => {
    waiting = waiting.concat(events);
    reading.calls += events.length;
    while (waiting.length >= PART || (isLast && waiting.length > 0)) {
      if (parts === MOST_PARTS) throw new TooManyCalls();
      parts += 1;
      refused += await sendTaken(send, parts, waiting.slice(0, PART));
      waiting = waiting.slice(PART);
    }
    onProgress({ ...reading });
  };
  const stream = file.stream().getReader();
  for (let piece = await stream.read(); !piece.done; piece = await stream.read()) {
    hash.update(piece.value);
    reading.bytes += piece.value.length;
    await take(reader.add(decoder.decode(piece.value, { stream: true })), false);
  }
  await take([...reader.add(decoder.decode()), ...reader.end()], true);
  const left: ReadFile['ausgelassen'] = [...reader.left].map(([grund, anzahl]) => ({ grund, anzahl }));
  return {
    dienst: String(reader.service),
    sha256: hexOf(hash.digest()),
    zeilen: reader.rows,
    ausgelassen: refused > 0 ? [...left, { grund: 'abgelehnt', anzahl: refused }] : left,
    kosten_usd: reader.cost,
  };
}
