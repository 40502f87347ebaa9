/** The list of all jobs: nothing that is declared is forgotten. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import type { JobContext } from '#jobs/index.ts';
import { parseConfig } from '#platform/config.ts';
import { composeJobs } from './jobs.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Done by `detektoren`, put in by slices below. */
const DECLARED_BELOW = 'server/src/domains/zaehlung/repeats-job.ts';
const FILES = [
  ...globSync('server/src/domains/*/jobs/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts')),
  DECLARED_BELOW,
];
const sliceOf = (file: string) => (file === DECLARED_BELOW ? 'detektoren' : file.split('/')[3]);
const DECLARED = /\b(?:defineJob|onSchedule)\(\{\s*id: '([a-z_.]+)'/g;

/** A check is two jobs: by the clock, and when somebody asks. */
const CHECK = /\bdefineCheck\('([a-z_.]+)'\)/g;

function declaredIn(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  const checks = [...text.matchAll(CHECK)].flatMap(([, name]) => [name as string, `${name}_sofort`]);
  return [...[...text.matchAll(DECLARED)].map(([, id]) => id as string), ...checks];
}
const declared = FILES.flatMap(declaredIn);
// Only their declarations matter; nothing of the outside world is touched.
const context = { config: parseConfig({ NODE_ENV: 'test' }) } as JobContext;
const jobs = composeJobs(context, createPriceList());

test('holds every job that a slice declares, once, named after its slice', () => {
  expect(declared.length).toBeGreaterThan(10);
  expect(jobs.map(({ id }) => id).sort()).toEqual([...declared].sort());
  for (const file of FILES)
    for (const id of declaredIn(file)) expect(sliceOf(file), file).toBe(id.split('.')[0]);
});

test('each has a test beside it', () => {
  const tests = globSync('server/src/domains/*/jobs/*.test.ts', { cwd: ROOT });
  for (const file of FILES)
    if (declaredIn(file).length > 0 && file !== DECLARED_BELOW)
      expect(tests).toContain(file.replace(/\.ts$/, '.test.ts'));
});

test('each stands in the map', () => {
  const map = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  expect(jobs.filter(({ id }) => !map.includes(`| \`${id}\``))).toEqual([]);
});
