/**
 * The service as processes and threads of tests start it: in a few files instead of two thousand, which takes a third of the time, and a
 * hundred of them are started in a run. Made once for a state of the sources, and for `npm test` alone: `npm run test:all`, and a file
 * that is named, start it from the sources as its users do. So does one file of `npm test` (`FROM_SOURCES`).
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const ROOT = resolve(import.meta.dirname, '..');
const KEPT = join(ROOT, 'node_modules/.cache/service');
const SOURCES = '{contracts,server/src,clients/typescript/src}/**/*.ts';
const ENTRIES = ['server/src/main/all-in-one.ts', 'server/src/main/cli.ts'];
/** Threads, and processes that are started by their path. */
const THREADS = 'server/src/**/*{thread,-process}.ts';
/** Packages of hundreds of modules; what is no module, or finds files beside itself, stays where it is. */
const TAKEN_IN = ['typebox', 'kysely', 'stripe', 'jose', 'uuid', 'csv-parse', 'csv-stringify'];
const DAY = 86_400_000;

/** Where a source has its place in the bundle. */
const nameOf = (source: string): string => source.replace(/\.ts$/, '').replaceAll('/', '_');
const THREAD = /new URL\('(\.[^']*\.ts)', import\.meta\.url\)/g;

/** Of a module that is moved: threads are beside it, everything else is where it was. */
const places: Plugin = {
  name: 'places',
  enforce: 'pre',
  transform(code, id) {
    if (!code.includes('import.meta') || id.includes('node_modules')) return null;
    const url = JSON.stringify(pathToFileURL(id).href);
    return code
      .replace(
        THREAD,
        (_, to) => `new URL('./${nameOf(relative(ROOT, resolve(dirname(id), to)))}.js', THREADS)`,
      )
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.url', url)
      .replaceAll(', THREADS)', ', import.meta.url)');
  },
};

async function make(into: string): Promise<void> {
  const { build } = await import('vite');
  const entries = [...ENTRIES, ...globSync(THREADS, { cwd: ROOT })];
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    ssr: { noExternal: TAKEN_IN },
    plugins: [places],
    build: {
      ssr: true,
      outDir: into,
      minify: false,
      target: 'esnext',
      rolldownOptions: {
        input: Object.fromEntries(entries.map((entry) => [nameOf(entry), join(ROOT, entry)])),
        output: { entryFileNames: '[name].js', chunkFileNames: 'chunk-[hash].js' },
      },
    },
  });
}

/** What the sources are, by when and how large they were written. */
function stateOfSources(): string {
  const hash = createHash('sha256');
  for (const file of [...globSync(SOURCES, { cwd: ROOT }).sort(), 'package-lock.json']) {
    const { mtimeMs, size } = statSync(join(ROOT, file));
    hash.update(`${file} ${mtimeMs} ${size}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

function removeOld(): void {
  for (const name of readdirSync(KEPT))
    if (Date.now() - statSync(join(KEPT, name)).mtimeMs > DAY)
      rmSync(join(KEPT, name), { recursive: true, force: true });
}

/** Before the run: makes the bundle where that is needed, and has all that is started find it. Safe when several runs do it at once. */
export default async function makeBundle(): Promise<void> {
  mkdirSync(KEPT, { recursive: true });
  removeOld();
  const folder = join(KEPT, stateOfSources());
  if (!existsSync(folder)) {
    const staging = mkdtempSync(join(KEPT, '.bau-'));
    await make(staging);
    // Another run was quicker.
    if (existsSync(folder)) rmSync(staging, { recursive: true });
    else renameSync(staging, folder);
  }
  process.env.ZW_BUNDLE = `${pathToFileURL(folder).href}/`;
}

/** The program of a source in the bundle; the source itself where there is none. */
export function bundled(source: string): string {
  const { ZW_BUNDLE } = process.env;
  return ZW_BUNDLE ? new URL(`${nameOf(source)}.js`, ZW_BUNDLE).pathname : join(ROOT, source);
}

/** Threads that tests start in their own process come out of the bundle as well. */
export const threadsOfBundle: Plugin = {
  name: 'threads-of-bundle',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(join(ROOT, 'server/src')) || id.endsWith('.test.ts')) return null;
    return code.replace(THREAD, (original, to) => {
      const name = `${nameOf(relative(ROOT, resolve(dirname(id), to)))}.js`;
      return `(process.env.ZW_BUNDLE ? new URL('${name}', process.env.ZW_BUNDLE) : ${original})`;
    });
  },
};
