/** A ZIP archive as a stream, made as it is taken: every file is complete, or the archive has no end. */
import { once } from 'node:events';
import { type PassThrough, Readable, type Transform, type Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ArchiveFile {
  name: string;
  /** Asked for once the files before it are written. */
  content(): AsyncIterable<string | Uint8Array>;
}

/** Of the library, which keeps all entries until the end, what its types leave out. */
interface Entries {
  entries: { utf8FileName: Buffer }[];
}

/**
 * Copies the latest name out of the pool that small buffers are cut from: the library keeps it until the end, and with it the 64 KiB around
 * it, other ones for each file.
 */
function detachName(zip: ZipFile): void {
  const entry = (zip as unknown as Entries).entries.at(-1);
  if (!entry) return;
  const own = Buffer.allocUnsafeSlow(entry.utf8FileName.length);
  entry.utf8FileName.copy(own);
  entry.utf8FileName = own;
}

export interface Archive {
  stream: Readable;
  /**
   * Resolves once everything has been read. Rejects when a file failed or the reader went away; nothing asks the files'
   * contents for more then.
   */
  done: Promise<void>;
}

/** `files` are asked for one by one, each once the one before it is in the archive. */
export function createArchive(
  files: Iterable<ArchiveFile> | AsyncIterable<ArchiveFile>,
  madeAt: Date,
): Archive {
  const zip = new ZipFile();
  const stream = zip.outputStream as PassThrough;
  const ended = finished(stream);
  const over = ended.catch(() => undefined);
  let last: Readable | null = null;
  const add = (file: ArchiveFile) => {
    const { name } = file;
    // The archive holds what it asks for a content until its end: what the content is made of must not be held by it.
    let content: (() => AsyncIterable<string | Uint8Array>) | null = file.content;
    return new Promise<void>((resolve) => {
      zip.addReadStreamLazy(name, { mtime: madeAt }, (callback) => {
        last = Readable.from(content?.() ?? []);
        content = null;
        // Files go into the archive through `pipe`, which hands on no errors.
        last.once('error', (error) => stream.destroy(error));
        last.once('close', resolve);
        callback(null, last);
      });
      detachName(zip);
    });
  };
  const fill = async () => {
    for await (const file of files) {
      await Promise.race([add(file), over]);
      if (stream.destroyed) return;
    }
    zip.end();
  };
  const filled = fill().catch((error: Error) => {
    stream.destroy(error);
  });
  const leave = async () => {
    const open = last as Readable | null;
    if (open && !open.closed) {
      const closed = once(open, 'close');
      open.destroy();
      await closed;
    }
    await filled;
  };
  return { stream, done: ended.finally(leave) };
}

/**
 * Writes it, through `through` where given; resolves once everything is written and nothing asks the files' contents for more. Throws
 * when a file fails, the writer breaks off, or it takes longer than this many milliseconds.
 */
export async function writeArchive(
  { stream, done }: Archive,
  writer: Writable,
  { longest, through }: { longest: number; through?: Transform },
): Promise<void> {
  const limit = setTimeout(() => stream.destroy(new Error('the archive took too long')), longest);
  const written = through ? pipeline(stream, through, writer) : pipeline(stream, writer);
  // The contents have to be left before what they read ends, whichever of the two broke off.
  await Promise.allSettled([written, done]);
  clearTimeout(limit);
  await written;
}
