/** What no cluster is needed for to know that it refuses it. `cluster-examples.test.ts` tries the examples. */
import { expect, test } from 'vitest';
import { REFUSED, TAKEN } from './cluster-examples.ts';
import { faultsOfStatement, touchesVolume } from './cluster-forms.ts';
import { sourceFiles, sqlTextsOf } from './sql-texts.ts';

/** Where statements run as the owner, whom row-level security leaves alone. */
const AS_OWNER = /\/(?:owner|jobs)\/|^domains\/(?:zaehlung|kuendigung)\//;
/** Questions about all Mandanten, and what they are for; each node is asked. */
const ABOUT_ALL: Record<string, string> = {
  'domains/aufbewahrung/owner/kept.ts': 'a month is removed for all at once',
  'domains/betreiber/owner/installation.ts': 'figures of the installation',
  'domains/ereignisse/jobs/idempotenz-aufraeumen.ts': 'keys that are too old, by their age alone',
  'domains/reservierungen/jobs/verfallene-entfernen.ts': 'what has lapsed, by its time alone',
  'platform/database/baseline.ts': 'what 0.3.0 has left, before the schema changes',
};
const QUERY = /\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|FROM|JOIN)\s/;
/** A condition is put in later. */
const OPEN_CONDITION = /\bWHERE …|\bFROM …/;

const texts = sourceFiles.flatMap(sqlTextsOf).filter(({ text }) => QUERY.test(text));

test('the source has no statement that a cluster refuses', () => {
  expect(texts.filter(({ text }) => touchesVolume(text)).length).toBeGreaterThan(150);
  const faults = texts.flatMap(({ file, text }) =>
    faultsOfStatement(text, !AS_OWNER.test(file)).map((fault) => ({ file, fault, text })),
  );
  expect(faults).toEqual([]);
});

test('whatever reads or changes a volume table names mandant_id, but for what is about all', () => {
  const nameless = texts.filter(
    ({ text, around }) => touchesVolume(text) && !around.includes('mandant_id') && !OPEN_CONDITION.test(text),
  );
  expect(nameless.filter(({ file }) => !(file in ABOUT_ALL))).toEqual([]);
  expect(Object.keys(ABOUT_ALL).filter((file) => !nameless.some((text) => text.file === file))).toEqual([]);
});

test.each(
  Object.entries(REFUSED).flatMap(([fault, refused]) => refused.map((text) => [fault, text] as const)),
)('refused, %s: %s', (fault, text) => {
  expect(faultsOfStatement(text, true)).toEqual([fault]);
});

test.each(TAKEN)('taken: %s', (text) => {
  expect(faultsOfStatement(text, true)).toEqual([]);
});

test('the owner may have rows copied by the coordinator', () => {
  expect(faultsOfStatement('INSERT INTO agenten (mandant_id) SELECT $1', false)).toEqual([]);
});

test('what a text has within parentheses, and what does not end, is looked at, too', () => {
  const fault = 'a change calls what differs from row to row';
  const change = 'UPDATE laeufe SET ende = clock_timestamp()';
  expect(faultsOfStatement(`WITH a AS (${change} RETURNING lauf_id) SELECT FROM a`, true)).toEqual([fault]);
  expect(faultsOfStatement(`SELECT (1 + (WITH a AS (${change})`, true)).toEqual([fault]);
});
