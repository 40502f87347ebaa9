/** From the bytes on the wire to a JSON value: reading and decompression with a cap, then the JSON of `contracts`. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { parseJson } from '#contracts';
import { HttpError, InvalidRequest, tooLarge, UnreadableBody } from './errors.ts';

/** A body as read: its decompressed bytes and, once parsed, its value. */
export interface ParsedBody {
  bytes: Buffer;
  /** False when the request had no body at all. */
  present: boolean;
  value: unknown;
  /** The text holds no `\u` escape: neither NUL nor lone surrogates can occur in it. */
  plainText: boolean;
  /** What the route's own reader made of the bytes; then they were not parsed, and there is no `value`. */
  scanned?: unknown;
}

/** A route's own reader of bodies in JSON: checks and all. Null leaves the body to the general way. */
export type BodyScan<S> = (bytes: Buffer) => S | null;

/** Asks for room for this many bytes; throws 503 when there is none. */
type ResizeRoom = (bytes: number) => void;

/**
 * The bytes of a request as they came, with room for each of them. Throws an HttpError: 413 beyond the limit, 503 without
 * room, 400 when the sender breaks off. What still comes after a refusal is read and thrown away, since most senders look
 * for the answer only when they have sent everything, and a connection closed before that takes the answer with it.
 */
export function receiveBody(
  message: IncomingMessage,
  limit: number,
  resizeRoom: ResizeRoom,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let received = 0;
    const refuse = (error: unknown) => {
      message.off('data', take).off('end', finish).resume();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      received += chunk.length;
      try {
        if (received > limit) throw tooLarge();
        resizeRoom(received);
        chunks.push(chunk);
      } catch (error) {
        refuse(error);
      }
    };
    const finish = () => {
      // The message lives until it is answered, and what it calls with it.
      message.off('data', take);
      resolve(Buffer.concat(chunks.splice(0), received));
    };
    const breakOff = () => refuse(new HttpError(400, 'anfrage_ungueltig', 'Die Anfrage ist abgebrochen.'));
    if (message.destroyed) breakOff();
    else message.on('data', take).once('end', finish).once('error', breakOff);
  });
}

const DECODERS: Record<string, (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

const isPacked = (encoding: string | undefined): encoding is string =>
  encoding !== undefined && encoding !== '' && encoding !== 'identity';

async function decode(bytes: Buffer, encoding: string, limit: number): Promise<Buffer> {
  const decoder = DECODERS[encoding.toLowerCase()];
  if (!decoder) {
    throw new HttpError(415, 'kodierung_unbekannt', 'Content-Encoding: möglich sind gzip, deflate und br.');
  }
  try {
    return await decoder(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') {
      throw tooLarge('Die Anfrage ist entpackt zu groß.');
    }
    throw new HttpError(400, 'kodierung_falsch', 'Der Inhalt passt nicht zu Content-Encoding.');
  }
}

let turn: Promise<unknown> = Promise.resolve();

/**
 * A few kilobytes may unpack to megabytes, and nobody knows before. So bodies are unpacked one at a time: what is not yet
 * known to need room is never more than one body of the largest size.
 */
function unpackInTurn(raw: Buffer, encoding: string, limit: number, resizeRoom: ResizeRoom): Promise<Buffer> {
  const unpacked = turn.then(async () => {
    const bytes = await decode(raw, encoding, limit);
    resizeRoom(bytes.length);
    return bytes;
  });
  turn = unpacked.catch(() => undefined);
  return unpacked;
}

const isJson = (contentType: string | undefined) =>
  contentType !== undefined && /^application\/([\w.-]+\+)?json\s*(;|$)/i.test(contentType.trim());

/** Throws InvalidRequest (422), UnreadableBody (400) or an HttpError (413, 415, 503). */
export async function readBody(
  raw: Buffer,
  headers: { contentType: string | undefined; contentEncoding: string | undefined },
  limit: number,
  resizeRoom: ResizeRoom,
  scan?: BodyScan<unknown>,
): Promise<ParsedBody> {
  const bytes = isPacked(headers.contentEncoding)
    ? await unpackInTurn(raw, headers.contentEncoding, limit, resizeRoom)
    : raw;
  if (bytes.length === 0) return { bytes, present: false, value: null, plainText: true };
  // Any other content type is taken as the plain text it is, which no object schema accepts.
  if (!isJson(headers.contentType))
    return { bytes, present: true, value: bytes.toString('utf8'), plainText: false };
  const scanned = scan?.(bytes) ?? null;
  if (scanned !== null) return { bytes, present: true, value: null, plainText: true, scanned };
  const parsed = parseJson(bytes);
  if (parsed.ok)
    return { bytes, present: parsed.value !== null, value: parsed.value, plainText: parsed.plainText };
  if (parsed.status === 400) throw new UnreadableBody();
  throw new InvalidRequest(parsed.faults);
}
