/** The side of the reading thread: unpacks bodies and reads them, one after the other. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { MessagePort } from 'node:worker_threads';
import type { Operation } from '#contracts';
import { unpackHere } from '../body.ts';
import { type BodyReaders, compileReadBytes, type ReadBody, type ReadBytes } from '../readers.ts';
import { alone, outcomeOf, type ToRead, type WasRead } from './messages.ts';

/** An operation whose bodies are read here, as its route reads small ones. */
export interface ReadAside {
  operation: Operation;
  /** Largest body after unpacking, in bytes. */
  bodyLimit: number;
  readers: BodyReaders<unknown>;
}

/** The buffers at the top of a value that was read; they are handed over. */
function handOver(body: ReadBody<unknown>): ArrayBuffer[] {
  if (!body.ok || typeof body.value !== 'object' || body.value === null) return [];
  const value = body.value as Record<string, unknown>;
  const handed: ArrayBuffer[] = [];
  for (const [name, item] of Object.entries(value)) {
    if (!(item instanceof Uint8Array)) continue;
    const bytes = alone(item);
    value[name] = bytes;
    handed.push(bytes.buffer);
  }
  return handed;
}

/**
 * What this many bytes leave behind is collected at once: the next collection may be several large bodies away. Not more often: a
 * whole collection takes as long as reading two megabytes, and slows down what is read after it.
 */
const COLLECT_AFTER = 8 * 1024 * 1024;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Gives the memory of bytes back at once, where they have it for themselves; a garbage collection may be far off here. */
function letGo(bytes: Uint8Array): void {
  if (bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer)
    bytes.buffer.transfer(0);
}

/** Reads what comes through the port, until it is closed. What a reader makes is a plain object of plain values and bytes. */
export function readAside(port: MessagePort, operations: ReadAside[]): void {
  const readers = new Map<string, { limit: number; read: ReadBytes }>();
  for (const { operation, bodyLimit, readers: own } of operations) {
    const read = compileReadBytes(operation.body, own);
    if (read) readers.set(operation.id, { limit: bodyLimit, read });
  }
  /** Bytes read since garbage was collected. */
  let uncollected = 0;
  const readOne = ({ operation, raw, header, receivedAt, known }: ToRead): WasRead['outcome'] => {
    const sent = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
    let bytes = sent;
    try {
      const reader = readers.get(operation);
      if (!reader) throw new Error(`no body of ${operation} is read here`);
      bytes = unpackHere(sent, header['content-encoding'], reader.limit);
      uncollected += bytes.length;
      return { body: reader.read(bytes, { header, receivedAt, known }) };
    } catch (error) {
      return outcomeOf(error);
    } finally {
      letGo(sent);
      if (bytes !== sent) letGo(bytes);
    }
  };
  port.on('message', (message: ToRead) => {
    const before = process.threadCpuUsage();
    const outcome = readOne(message);
    const handed = 'body' in outcome ? handOver(outcome.body) : [];
    const { user, system } = process.threadCpuUsage(before);
    const answer: WasRead = { number: message.number, cpu: (user + system) / 1_000, outcome };
    port.postMessage(answer, handed);
    if (uncollected < COLLECT_AFTER) return;
    uncollected = 0;
    collectGarbage();
  });
}
