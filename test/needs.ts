/** What a test needs to run beside itself, read from what it imports: nobody keeps a list. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/**
 * Nothing; a document, as a page of the cockpit does (`*.test.tsx`); the PostgreSQL of the run; processes of its own. A test that needs
 * both of the last counts for the database.
 */
export type Need = 'nothing' | 'document' | 'database' | 'processes';

const ROOM = import.meta.dirname;
const ROOT = dirname(ROOM);
const TESTS = '{contracts,server,clients,proxy,cockpit,acceptance,test,demo,bench}/**/*.test.{ts,tsx}';
/** The only way to the database of the run. */
const DATABASE = join(ROOM, 'database.ts');
/** Ways to processes of one's own. */
const PROCESSES = [
  'node:child_process',
  join(ROOM, 'own-server.ts'),
  join(ROOM, 'browser.ts'),
  join(ROOT, 'server/src/platform/database/embedded/server.ts'),
];

/** What is imported at run time; types are not. */
const IMPORT = /^(?:(?:import|export)\s(?!type\s)(?:[^'";]*\sfrom\s)?|.*\bimport\()'([^']+)'/gm;

/** Helpers of this room as files, anything else as it is written. */
function importsOf(file: string): string[] {
  const found = [...readFileSync(file, 'utf8').matchAll(IMPORT)].map(([, name = '']) => name);
  return found.map((name) => {
    if (name.startsWith('#test/')) return join(ROOM, name.slice('#test/'.length));
    return name.startsWith('.') ? resolve(dirname(file), name) : name;
  });
}

/** Everything the file reaches through helpers: what the service itself imports says nothing about the test. */
function reachOf(file: string, reached = new Set<string>()): Set<string> {
  for (const name of importsOf(file)) {
    if (reached.has(name)) continue;
    reached.add(name);
    if (dirname(name) === ROOM) reachOf(name, reached);
  }
  return reached;
}

const found = new Map<string, Need>();

/** What the file, by its absolute path, needs. */
export function needOf(file: string): Need {
  const known = found.get(file) ?? read(file);
  found.set(file, known);
  return known;
}

function read(file: string): Need {
  if (file.endsWith('.tsx')) return 'document';
  const reached = reachOf(file);
  if (reached.has(DATABASE)) return 'database';
  return PROCESSES.some((name) => reached.has(name)) ? 'processes' : 'nothing';
}

/** All tests by what they need, as paths from the root. */
export function testsByNeed(): Record<Need, string[]> {
  const tests: Record<Need, string[]> = { nothing: [], document: [], database: [], processes: [] };
  for (const path of globSync(TESTS, { cwd: ROOT, exclude: ['**/node_modules/**'] }))
    tests[needOf(join(ROOT, path))].push(path);
  return tests;
}
