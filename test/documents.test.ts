/** What documents point to is there. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const decisions = readdirSync(join(ROOT, 'docs/decisions')).map((name) => `docs/decisions/${name}`);
const DOCUMENTS = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'acceptance/README.md',
  'docs/architecture.md',
  'docs/connect/README.md',
  'docs/glossary.md',
  'docs/mcp.md',
  'docs/operations.md',
  'docs/prices.md',
  ...decisions,
];

test.each(DOCUMENTS)('%s links to what there is', (document) => {
  const text = readFileSync(join(ROOT, document), 'utf8');
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)].map(([, path]) => path as string);
  expect(links.filter((path) => !existsSync(join(ROOT, dirname(document), path)))).toEqual([]);
});

test('every requirement of SECURITY.md names tests that there are', () => {
  const rows = readFileSync(join(ROOT, 'SECURITY.md'), 'utf8').match(/^\| \d+ +\|.*$/gm) ?? [];
  expect(rows).toHaveLength(54);
  for (const row of rows) {
    const named = [...row.matchAll(/`([\w/.-]+\.test\.ts)`/g)].map(([, path]) => path as string);
    expect(named, row).not.toEqual([]);
    const places = (path: string) => [join(ROOT, path), join(ROOT, 'server/src', path)];
    expect(
      named.filter((path) => !places(path).some(existsSync)),
      row,
    ).toEqual([]);
  }
});
