/** Bodies of requests in memory: each has a bound, and all together have one. */
import type { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import { Refusal } from './refusal.ts';

/** How much more all of them may take than one. */
const ALL = 4;

export interface HeldBody {
  bytes: Buffer;
  /** It is needed no more. */
  letGo(): void;
}

export class Bodies {
  readonly #maxEach: number;
  #held = 0;

  constructor(maxEach: number) {
    this.#maxEach = maxEach;
  }

  /** Reads one whole. Rejects with a `Refusal` where it is too long, or where others take up the room. */
  read(request: Readable): Promise<HeldBody> {
    const pieces: Buffer[] = [];
    let length = 0;
    const letGo = () => {
      this.#held -= length;
      length = 0;
    };
    let isRead = false;
    return new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        if (isRead) return;
        request.off('data', take).resume();
        letGo();
        reject(error);
      };
      const take = (piece: Buffer) => {
        pieces.push(piece);
        length += piece.length;
        this.#held += piece.length;
        const problem = this.#problemOf(length);
        if (problem !== null) fail(problem);
      };
      request.on('data', take).once('error', fail);
      request.once('close', () => fail(new Error('the caller has hung up')));
      request.once('end', () => {
        isRead = true;
        resolve({ bytes: pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces), letGo });
      });
    });
  }

  #problemOf(length: number): Refusal | null {
    if (length > this.#maxEach)
      return new Refusal(413, 'anfrage_zu_gross', `more than ${this.#maxEach} bytes in one request`);
    return this.#held > this.#maxEach * ALL
      ? new Refusal(503, 'zu_viel_auf_einmal', 'too many long requests at once')
      : null;
  }
}

/** A body that unpacks to more is not read; nothing is counted by what it says. */
const UNPACKED = { maxOutputLength: 256 * 1_048_576 };

const UNPACK: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gunzipSync(bytes, UNPACKED),
  deflate: (bytes) => inflateSync(bytes, UNPACKED),
  br: (bytes) => brotliDecompressSync(bytes, UNPACKED),
  zstd: (bytes) => zstdDecompressSync(bytes, UNPACKED),
};

/** The text of a body that a client may have packed; null where nothing can be read of it. */
export function textOf(bytes: Buffer, encoding = 'identity'): string | null {
  if (encoding === 'identity') return bytes.toString('utf8');
  try {
    return UNPACK[encoding.toLowerCase()]?.(bytes).toString('utf8') ?? null;
  } catch {
    return null;
  }
}

/** The fields of a form that are texts; files stay aside. */
export async function fieldsOf(bytes: Buffer, contentType: string): Promise<Record<string, string>> {
  try {
    const form = await new Response(new Uint8Array(bytes), {
      headers: { 'content-type': contentType },
    }).formData();
    const texts = [...form].filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    return Object.fromEntries(texts);
  } catch {
    return {};
  }
}
