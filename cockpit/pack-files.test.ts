import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packFilesBelow } from './pack-files.ts';

const LONG = 'const zahl = 1;\n'.repeat(500);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zw-packen-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets/a.js'), LONG);
  await writeFile(join(folder, 'kurz.svg'), '<svg/>');
  await writeFile(join(folder, 'bild.png'), LONG);
  await packFilesBelow(folder);
});
afterAll(() => rm(folder, { recursive: true }));

it('packs texts that become smaller by it, and leaves the others alone', async () => {
  const names = (await readdir(folder, { recursive: true })).sort();
  expect(names).toEqual([
    'assets',
    'assets/a.js',
    'assets/a.js.br',
    'assets/a.js.gz',
    'bild.png',
    'kurz.svg',
  ]);
  expect(brotliDecompressSync(await readFile(join(folder, 'assets/a.js.br'))).toString()).toBe(LONG);
  expect(gunzipSync(await readFile(join(folder, 'assets/a.js.gz'))).toString()).toBe(LONG);
});
