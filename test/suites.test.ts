import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ONLY_IN_ALL, suiteOf, testsOf } from './suites.ts';

const ROOT = join(import.meta.dirname, '..');
const countOf = (tests: ReturnType<typeof testsOf>) => Object.values(tests).flat().length;

test('each suite has all of the one before it, and the whole one everything', () => {
  const [core, usual, all] = (['core', 'usual', 'all'] as const).map((suite) =>
    Object.values(testsOf(suite)).flat(),
  );
  expect(new Set(usual).isSupersetOf(new Set(core))).toBe(true);
  expect(new Set(all).isSupersetOf(new Set(usual))).toBe(true);
  expect(all?.length).toBe((usual?.length ?? 0) + Object.keys(ONLY_IN_ALL).length);
});

test('the core has a file with a database of every slice that has any', () => {
  const slicesOf = (files: string[]) =>
    new Set(files.map((file) => /domains\/(\w+)\//.exec(file)?.[1] ?? ''));
  const missing = slicesOf(testsOf('all').database).difference(slicesOf(testsOf('core').database));
  expect([...missing].filter(Boolean)).toEqual([]);
});

test('files that are left to the whole suite are there', () => {
  expect(Object.keys(ONLY_IN_ALL).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  expect(countOf(testsOf(suiteOf('test')))).toBe(countOf(testsOf('all')));
});
