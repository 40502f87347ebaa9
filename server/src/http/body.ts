/** From the wire to the bytes of a body: reading and decompression, both with a cap. What the bytes say: readers.ts. */
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, brotliDecompressSync, gunzip, gunzipSync, inflate, inflateSync } from 'node:zlib';
import { HttpError, tooLarge } from './errors.ts';

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
    const breakOff = () =>
      refuse(
        new HttpError(400, 'anfrage_ungueltig', {
          de: 'Die Anfrage ist abgebrochen.',
          en: 'The request broke off.',
        }),
      );
    if (message.destroyed) breakOff();
    else message.on('data', take).once('end', finish).once('error', breakOff);
  });
}

interface Decoder {
  aside(bytes: Buffer, options: { maxOutputLength: number }): Promise<Buffer>;
  here(bytes: Buffer, options: { maxOutputLength: number }): Buffer;
}

/** By name, which comes from the sender: a map has no names but its own. */
const DECODERS: ReadonlyMap<string, Decoder> = new Map<string, Decoder>([
  ['gzip', { aside: promisify(gunzip), here: gunzipSync }],
  ['deflate', { aside: promisify(inflate), here: inflateSync }],
  ['br', { aside: promisify(brotliDecompress), here: brotliDecompressSync }],
]);

/** Ordinary data become a tenth to a fiftieth by packing; what becomes much less is made to be dear. */
const MAX_RATIO = 256;
/** So much may come of any number of bytes: a few calls that are all alike. */
const ANY_RATIO = 1024 * 1024;

/** How many bytes may come of this many packed ones. */
export const unpackedAtMost = (packed: number): number => Math.max(ANY_RATIO, MAX_RATIO * packed);

/** Whether a body is packed, by its Content-Encoding. */
export const isPacked = (encoding: string | undefined): encoding is string =>
  encoding !== undefined && encoding !== '' && encoding !== 'identity';

function decoderOf(encoding: string): Decoder {
  const decoder = DECODERS.get(encoding.toLowerCase());
  if (decoder) return decoder;
  throw new HttpError(415, 'kodierung_unbekannt', {
    de: 'Content-Encoding: möglich sind gzip, deflate und br.',
    en: 'Content-Encoding: possible are gzip, deflate and br.',
  });
}

/** What a decoder's failure means for the sender. */
function refusalOf(error: unknown): HttpError {
  if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
    return tooLarge({
      de: `Die Anfrage ist entpackt zu groß, oder mehr als ${MAX_RATIO}-mal so groß wie gepackt.`,
      en: `Unpacked the request is too large, or more than ${MAX_RATIO} times as large as packed.`,
    });
  return new HttpError(400, 'kodierung_falsch', {
    de: 'Der Inhalt passt nicht zu Content-Encoding.',
    en: 'The content does not fit Content-Encoding.',
  });
}

async function decode(bytes: Buffer, encoding: string, limit: number): Promise<Buffer> {
  const { aside } = decoderOf(encoding);
  return aside(bytes, { maxOutputLength: Math.min(limit, unpackedAtMost(bytes.length)) }).catch(
    (error: unknown) => {
      throw refusalOf(error);
    },
  );
}

/**
 * The unpacked bytes of a body, made in the thread that asks. Throws an HttpError (400, 413, 415). Not for the event loop.
 */
export function unpackHere(raw: Buffer, encoding: string | undefined, limit: number): Buffer {
  if (!isPacked(encoding)) return raw;
  const { here } = decoderOf(encoding);
  try {
    return here(raw, { maxOutputLength: Math.min(limit, unpackedAtMost(raw.length)) });
  } catch (error) {
    throw refusalOf(error);
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

/** The unpacked bytes of a body as it came. Throws HttpError (400, 413, 415) or AppError (503). */
export const unpackBody = async (
  raw: Buffer,
  encoding: string | undefined,
  limit: number,
  resizeRoom: ResizeRoom,
): Promise<Buffer> => (isPacked(encoding) ? unpackInTurn(raw, encoding, limit, resizeRoom) : raw);
