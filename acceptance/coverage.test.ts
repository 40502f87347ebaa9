/** The coverage table of the README against the contract and the specs there are. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { declared } from '#test/operations.ts';

const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
const coverage = readme.slice(readme.indexOf('## Coverage'));

test('the table names every operation of the contract once, in order', () => {
  const operations = declared.map(({ id }) => id);
  const named = [...coverage.matchAll(/^\| `([^`]+)`\s*\|/gm)].map((match) => match[1]);
  expect(named).toEqual(operations.sort());
});

test('every spec it names exists', () => {
  const specs = new Set([...readme.matchAll(/`([\w./-]+\.test\.ts)`/g)].map((match) => match[1] as string));
  expect(specs.size).toBeGreaterThan(8);
  for (const spec of specs) {
    const file = spec.startsWith('server/')
      ? join(import.meta.dirname, '..', spec)
      : join(import.meta.dirname, spec);
    expect(existsSync(file), spec).toBe(true);
  }
});
