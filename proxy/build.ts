/**
 * Makes one file of the proxy, `dist/main.js`, where its sources are newer: what is run out of many files in TypeScript takes 15 to 35 MB more.
 * Without development packages it cannot be made anew; then the file leads to the sources.
 */
import { mkdirSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dirname);
const built = join(import.meta.dirname, 'dist/main.js');
const SOURCES = ['proxy', 'clients/typescript/src', 'server/src/kernel', 'package-lock.json'];

function changedAt(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.mtimeMs;
  const within = readdirSync(path).filter((name) => name !== 'dist');
  return Math.max(0, ...within.map((name) => changedAt(join(path, name))));
}

/** Null where the package that builds is not installed. */
async function bundled(): Promise<string | null> {
  const vite = await import('vite').catch(() => null);
  if (vite === null) return null;
  const made = await vite.build({
    configFile: false,
    root,
    logLevel: 'error',
    publicDir: false,
    ssr: { noExternal: true },
    build: { ssr: 'proxy/main.ts', write: false, minify: true, target: 'node26' },
  });
  if (!('output' in made)) throw new Error('more than one program was built');
  const [program, ...others] = made.output;
  if (others.length > 0) throw new Error('more than one file was built');
  return program.code;
}

if (changedAt(built) <= Math.max(...SOURCES.map((path) => changedAt(join(root, path))))) {
  const code = (await bundled()) ?? "import '../main.ts';\n";
  mkdirSync(dirname(built), { recursive: true });
  // Two that start at once do not read half of it.
  writeFileSync(`${built}.${process.pid}`, code);
  renameSync(`${built}.${process.pid}`, built);
}
