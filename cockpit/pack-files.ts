/** Packs the built files once, as tightly as it goes, so that the service only has to send what lies there. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const TEXTS = /\.(js|css|html|svg|json)$/;
const brotli = promisify(brotliCompress);
const packGzip = promisify(gzip);

/** By the ending that `@fastify/static` looks for. */
const PACKERS = {
  br: (bytes: Buffer) =>
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gz: (bytes: Buffer) => packGzip(bytes, { level: constants.Z_BEST_COMPRESSION }),
};

/** Writes `<file>.br` and `<file>.gz` beside each text below the folder that becomes smaller by it. */
export async function packFilesBelow(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile() && TEXTS.test(entry.name));
  const packOne = async (file: string) => {
    const bytes = await readFile(file);
    for (const [ending, pack] of Object.entries(PACKERS)) {
      const packed = await pack(bytes);
      if (packed.length < bytes.length) await writeFile(`${file}.${ending}`, packed);
    }
  };
  await Promise.all(files.map(({ parentPath, name }) => packOne(join(parentPath, name))));
}

/** Packs what the build has written, and what it has copied. */
export const packFiles = (): Plugin => ({
  name: 'zaehlwerk:pack-files',
  apply: 'build',
  writeBundle: {
    order: 'post',
    handler: ({ dir = '' }) => packFilesBelow(dir),
  },
});
