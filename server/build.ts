/**
 * Makes the programs of the service, its threads and the engine's process out of their sources, in a few files: out of a thousand of its
 * own in TypeScript and two thousand of packages each thread takes twice the memory. `dist/main.js` starts what was built of the
 * sources as they are, else these. Without development packages nothing can be built: then it leads to the sources.
 */
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { stateOfSources } from './src/main/sources.ts';

const ROOT = dirname(import.meta.dirname);
const DIST = join(import.meta.dirname, 'dist');
const START = 'server/src/main/all-in-one.ts';
/** What is started: a path of the project. */
export const STARTED = 'server/dist/main.js';
const STATE = 'server/src/main/sources.ts';
const ENTRIES = [START, STATE, 'server/src/main/cli.ts'];
/** Threads, and processes that are started by their path. */
const THREADS = 'server/src/**/*{thread,-process}.ts';
/** How folders begin in which a build is being made. */
const STAGING = '.bau-';
/** Packages that find files beside themselves. */
const LEFT_OUT = ['@duckdb/node-api', '@fastify/swagger-ui', 'pdfkit', 'piscina'];

/** Where a thread is named: the path of its source, seen from that of the module. */
export const THREAD = /new URL\('(\.[^']*\.ts)', import\.meta\.url\)/g;

/** The file of a program in a build; `source` is a path of the project. */
export const builtName = (source: string): string => `${source.replace(/\.ts$/, '').replaceAll('/', '_')}.js`;

/** The file of a thread in a build, as the module at `id` names it. */
export const builtThread = (id: string, path: string): string =>
  builtName(relative(ROOT, resolve(dirname(id), path)));

/** Whether a module is one of the project. */
const isOwn = (id: string): boolean => id.startsWith(`${ROOT}/`) && !id.includes('/node_modules/');

/** Where a character cannot be written by its number. */
const AS_WRITTEN = /\\[^\0-\x7f]|String\.raw/;

/** Of a file with one character beyond ASCII each takes two bytes in memory. */
const inAscii = (code: string): string =>
  AS_WRITTEN.test(code)
    ? code
    : code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** Of a module that is moved: threads are beside it, everything else is where it was. Seen from a build, the project is three folders up. */
const places: Plugin = {
  name: 'places',
  enforce: 'pre',
  transform(code, id) {
    if (!isOwn(id) || !code.includes('import.meta')) return null;
    const from = relative(ROOT, id);
    return code
      .replace(THREAD, (_, path) => `new URL('./${builtThread(id, path)}', HERE)`)
      .replaceAll('import.meta.dirname', `\`\${import.meta.dirname}/../../../${dirname(from)}\``)
      .replaceAll('import.meta.url', `new URL('../../../${from}', HERE).href`)
      .replaceAll('HERE)', 'import.meta.url)');
  },
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) if (file.type === 'chunk') file.code = inAscii(file.code);
  },
};

/** A module of the project does nothing by being imported, so that a thread holds what it uses of each door. */
const TREESHAKE: Rolldown.TreeshakingOptions = {
  moduleSideEffects: (id) => !isOwn(id),
};

type Vite = typeof import('vite');

async function bundle(vite: Vite, into: string): Promise<void> {
  const entries = [...ENTRIES, ...globSync(THREADS, { cwd: ROOT })];
  await vite.build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external: LEFT_OUT },
    plugins: [places],
    build: {
      ssr: true,
      outDir: into,
      minify: false,
      target: 'node26',
      rolldownOptions: {
        input: Object.fromEntries(entries.map((entry) => [builtName(entry), join(ROOT, entry)])),
        treeshake: TREESHAKE,
        output: {
          entryFileNames: '[name]',
          chunkFileNames: 'chunk-[hash].js',
          comments: false,
          topLevelVar: false,
        },
      },
    },
  });
}

/** The text of `STARTED` for the build in a folder of that name; null: there is none. */
export const startFile = (build: string | null): string =>
  build === null
    ? `await import('../../${START}');\n`
    : `import { stateOfSources } from './${build}/${builtName(STATE)}';

const isOfSources = stateOfSources(\`\${import.meta.dirname}/../..\`) === '${build}';
await import(isOfSources ? './${build}/${builtName(START)}' : '../../${START}');
`;

/** Written whole, so that two that start at once do not read half of it. */
function writeStart(text: string): void {
  const path = join(ROOT, STARTED);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
}

/** Builds but this one and the one before it, which a service may run that starts its threads as they are needed; builds that were killed an hour ago. */
function removeOld(build: string): void {
  const others = readdirSync(DIST, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== build)
    .map(({ name }) => ({ path: join(DIST, name), at: statSync(join(DIST, name)).mtimeMs }))
    .sort((one, other) => other.at - one.at);
  const staged = others.filter(({ path }) => basename(path).startsWith(STAGING));
  const killed = staged.filter(({ at }) => at < Date.now() - 3_600_000);
  const older = others.filter((each) => !staged.includes(each)).slice(1);
  for (const { path } of [...killed, ...older]) rmSync(path, { recursive: true, force: true });
}

async function makeBuild(vite: Vite, folder: string): Promise<void> {
  const staging = mkdtempSync(join(DIST, STAGING));
  await bundle(vite, staging);
  try {
    renameSync(staging, folder);
  } catch (error) {
    // Another one was quicker.
    if (!existsSync(folder)) throw error;
    rmSync(staging, { recursive: true });
  }
}

/** Builds where that is needed, and returns the folder; null where nothing can be built. Safe when several do it at once. */
export async function buildService(): Promise<string | null> {
  mkdirSync(DIST, { recursive: true });
  const build = stateOfSources(ROOT);
  const folder = join(DIST, build);
  if (!existsSync(folder)) {
    const vite = await import('vite').catch(() => null);
    if (vite === null) {
      // One that is there leads to the sources by itself, and perhaps nobody may write here.
      if (!existsSync(join(ROOT, STARTED))) writeStart(startFile(null));
      return null;
    }
    await makeBuild(vite, folder);
    removeOld(build);
  }
  writeStart(startFile(build));
  return folder;
}

if (import.meta.main) await buildService();
