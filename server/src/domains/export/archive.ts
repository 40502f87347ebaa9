/** A ZIP archive as a stream, made as it is taken: every file is complete, or the archive has no end. */
import { once } from 'node:events';
import { type PassThrough, Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ArchiveFile {
  name: string;
  /** Asked for once the files before it are written. */
  content(): AsyncIterable<string>;
}

export interface Archive {
  stream: Readable;
  /**
   * Resolves once everything has been read. Rejects when a file failed or the reader went away; nothing asks the files'
   * contents for more then.
   */
  done: Promise<void>;
}

export function createArchive(files: ArchiveFile[], madeAt: Date): Archive {
  const zip = new ZipFile();
  const stream = zip.outputStream as PassThrough;
  const opened: Readable[] = [];
  for (const file of files)
    zip.addReadStreamLazy(file.name, { mtime: madeAt }, (callback) => {
      const content = Readable.from(file.content());
      opened.push(content);
      // Files go into the archive through `pipe`, which hands on no errors.
      content.once('error', (error) => stream.destroy(error));
      callback(null, content);
    });
  zip.end();
  const leave = async () => {
    const last = opened.at(-1);
    if (!last || last.closed) return;
    const closed = once(last, 'close');
    last.destroy();
    await closed;
  };
  return { stream, done: finished(stream).finally(leave) };
}
