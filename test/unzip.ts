/** Reads ZIP archives with a reader that is not the writer's. */
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { type Entry, fromBuffer, type Options, open, type ZipFile } from 'yauzl';

const openBuffer = promisify<Buffer, Options, ZipFile>(fromBuffer);
const openFile = promisify<string, Options, ZipFile>(open);

/** The files one after another, each as the bytes it holds; rejects when the archive is not complete. */
async function* entriesOf(zip: ZipFile): AsyncGenerator<{ name: string; stream: Readable }, void> {
  const read = promisify<Entry, Readable>(zip.openReadStream.bind(zip));
  for (;;) {
    const entry = await new Promise<Entry | null>((resolve, reject) => {
      zip.once('error', reject);
      zip.once('end', () => resolve(null));
      zip.once('entry', resolve);
      zip.readEntry();
    });
    zip.removeAllListeners();
    if (!entry) return;
    yield { name: entry.fileName, stream: await read(entry) };
  }
}

/** What every file holds by name, in the order of the archive. */
export async function unzipBytes(bytes: Buffer): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for await (const { name, stream } of entriesOf(await openBuffer(bytes, { lazyEntries: true })))
    files.set(name, Buffer.concat(await stream.toArray()));
  return files;
}

/** The same as text. */
export const unzip = async (bytes: Buffer): Promise<Map<string, string>> =>
  new Map([...(await unzipBytes(bytes))].map(([name, content]) => [name, content.toString()]));

/** The lines of one file of an archive on disk. */
export async function* linesOf(path: string, file: string): AsyncGenerator<string, void> {
  for await (const { name, stream } of entriesOf(
    await openFile(path, { lazyEntries: true, autoClose: false }),
  ))
    if (name === file) yield* createInterface({ input: stream });
    else stream.destroy();
}
