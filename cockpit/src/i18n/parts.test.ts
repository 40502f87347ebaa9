/** Texts of what comes with the cockpit come with it: a part of the page that needs others loads them with itself. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';
import { first } from './de/first.ts';

const SOURCES = join(import.meta.dirname, '..');

const STATIC = /^(?:import|export)\b[^;]*?\bfrom '(\.[^']+)';/gms;
const TYPES = /^import type\b/;
/** A part that comes later; pages and whatever loads texts with itself have those that they need. */
const LATER = /lazy\(async \(\) => ([^;]*?import\('(\.[^']+)'\)[^;]*);/gs;
const TEXT = /\bt\(\s*['`]([a-zA-Z]+)\./g;

/** Texts that others load with what shows them, or that are looked for first. */
const ELSEWHERE = [
  'api/use-error-text.ts: code',
  'features/weiterbelastung/month-picker.tsx: weiterbelastung',
  'features/zugang/use-device-name.ts: sicherheit',
];

function importsOf(file: string, source: string): string[] {
  const paths = [...source.matchAll(STATIC)].flatMap(([line, path]) => (TYPES.test(line) ? [] : [path]));
  const later = [...source.matchAll(LATER)].flatMap(([, body = '', path]) =>
    body.includes('loadTexts') ? [] : [path],
  );
  return [...paths, ...later]
    .map((path) => join(dirname(file), path as string))
    .filter((path) => /\.tsx?$/.test(path) && existsSync(path));
}

/** Every module that comes with the cockpit, with its source. */
function comingWith(entry: string): Map<string, string> {
  const found = new Map<string, string>();
  const open = [entry];
  for (let file = open.pop(); file; file = open.pop()) {
    if (found.has(file)) continue;
    const source = readFileSync(file, 'utf8');
    found.set(file, source);
    open.push(...importsOf(file, source));
  }
  return found;
}

it('whatever stands on the first page has its texts', () => {
  const modules = comingWith(join(SOURCES, 'main.tsx'));
  expect(modules.has(join(SOURCES, 'features/verbrauch/ranks.tsx'))).toBe(true);
  const missing = [...modules].flatMap(([file, source]) =>
    [...source.matchAll(TEXT)]
      .filter(([, part = '']) => !(part in first))
      .map(([, part]) => `${relative(SOURCES, file)}: ${part}`),
  );
  expect([...new Set(missing)].sort()).toEqual(ELSEWHERE);
});
