/**
 * What is removed because time has passed goes by time that has certainly passed (`passedBefore`), not by one look at the clock. The test
 * reads the statements in the source: a new one that deletes by the clock has to be allowed first.
 */
import { expect, test } from 'vitest';
import { sourceFiles, sqlTextsOf } from '#test/sql-texts.ts';

/** What may go too early: it is made again, or has no effect any more. */
const MAY_GO = [
  'domains/kontingente/jobs/abgelaufene-entfernen.ts',
  'domains/zaehlung/jobs/werte-vergessen.ts',
  'domains/zugang/jobs/abgelaufenes-entfernen.ts',
];

const BY_THE_CLOCK = /(?=[\s\S]*DELETE FROM)[\s\S]*\b(now\(\)|clock_timestamp\(\)|current_(date|timestamp))/i;

test('nothing is deleted by the clock but what may go', () => {
  const found = sourceFiles
    .flatMap(sqlTextsOf)
    .filter(({ text }) => BY_THE_CLOCK.test(text))
    .map(({ file }) => file);
  expect(found.sort()).toEqual(MAY_GO);
});

test('jobs that delete do not take the time of the process either', () => {
  const jobs = sourceFiles.filter((file) => /\/jobs\/.*(entfernen|loeschen|aufraeumen)\.ts$/.test(file));
  expect(jobs.length).toBeGreaterThan(10);
  const bySelf = jobs.filter((file) => sqlTextsOf(file).some(({ around }) => around.includes('clock.now()')));
  // Somebody asked for them an hour ago, and may ask again.
  expect(bySelf).toEqual(['domains/detektoren/jobs/rueckblicke-entfernen.ts']);
});
