/** The coverage table of the README against the contract and the specs there are; `test/hold-answers.ts` holds each spec to it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { coverageTable, unprovenClaims } from '#test/coverage.ts';
import { declared } from '#test/operations.ts';

test('the table names every operation of the contract once, in order, each with a spec', () => {
  const table = coverageTable();
  expect(table.map(({ operation }) => operation)).toEqual(declared.map(({ id }) => id).sort());
  for (const { operation, text } of table) expect(text, operation).not.toBe('');
});

test('every spec the README names exists', () => {
  const readme = readFileSync(join(import.meta.dirname, 'README.md'), 'utf8');
  const specs = new Set([...readme.matchAll(/`([\w./-]+\.test\.ts)`/g)].map((match) => match[1] as string));
  expect(specs.size).toBeGreaterThan(8);
  for (const spec of specs) {
    // With a folder it is named from the top of the project.
    const file = spec.includes('/') ? join(import.meta.dirname, '..', spec) : join(import.meta.dirname, spec);
    expect(existsSync(file), spec).toBe(true);
  }
});

test('a spec that did not use what it is said to use is found out', () => {
  const claimed = coverageTable().filter(({ specs }) => specs.includes('audit.test.ts'));
  const [first, ...others] = claimed.map(({ operation }) => operation);
  expect(others.length).toBeGreaterThan(5);
  expect(unprovenClaims(join(import.meta.dirname, 'audit.test.ts'), new Set(others))).toEqual([first]);
});
