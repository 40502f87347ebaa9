import { randomUUID } from 'node:crypto';
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { enqueueFor } from './enqueue.ts';
import { GiveUp } from './failure.ts';
import { discardDeadLetter, listDeadLetters, readJobStates, requeueDeadLetters } from './given-up.ts';
import { defineJob, handle } from './job.ts';
import { putScheduled } from './store.ts';

const kind = defineJob({ id: 'test.auftrag', version: 1, payload: Type.Object({ nr: Type.Integer() }) });
const mandant = newMandant();

let bench: JobsBench;
let works: boolean;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench?.stop());
beforeEach(async () => {
  await bench.sql('DELETE FROM auftraege');
  works = false;
  await bench.owner.transaction(async (client) => {
    for (const nr of [1, 2]) await enqueueFor(client, mandant, kind, { nr });
  });
  await runDue();
});

const runDue = () =>
  bench
    .runner(
      handle(kind, async ({ payload: { nr } }) => {
        if (!works) throw new GiveUp(`kaputt ${nr}`);
        return {};
      }),
    )
    .runDue();
const ids = async () => (await listDeadLetters(bench.owner, 10)).map(({ auftrag_id }) => auftrag_id);

test('dead letters are listed with what they are and why, the latest first, the installation’s too', async () => {
  await putScheduled(bench.owner, 'test.nachts');
  await bench.sql(`UPDATE auftraege SET aufgegeben_am = now(), fehler = NULL WHERE geplant`);
  const letter = { versuche: 1, erstellt_am: expect.any(String), aufgegeben_am: expect.any(String) };
  expect(await listDeadLetters(bench.owner, 10)).toMatchObject([
    { job: 'test.nachts', mandant: null, fehler: null },
    { ...letter, job: 'test.auftrag', mandant, fehler: 'kaputt 2' },
    { ...letter, job: 'test.auftrag', mandant, fehler: 'kaputt 1' },
  ]);
  expect(await listDeadLetters(bench.owner, 1)).toHaveLength(1);
});

test('one or all run again, with all their attempts', async () => {
  const [latest, first] = await ids();
  works = true;
  expect(await requeueDeadLetters(bench.owner, latest as string)).toBe(1);
  expect(await runDue()).toBe(1);
  expect(await ids()).toEqual([first]);
  expect(await requeueDeadLetters(bench.owner, null)).toBe(1);
  expect(await bench.sql('SELECT versuche, aufgegeben_am FROM auftraege')).toEqual([
    { versuche: 0, aufgegeben_am: null },
  ]);
  expect(await runDue()).toBe(1);
  expect(await requeueDeadLetters(bench.owner, null)).toBe(0);
  expect(await requeueDeadLetters(bench.owner, randomUUID())).toBe(0);
});

test('one is discarded; what still waits cannot be', async () => {
  const [latest, first] = (await ids()) as [string, string];
  expect(await discardDeadLetter(bench.owner, latest)).toBe(true);
  expect(await discardDeadLetter(bench.owner, latest)).toBe(false);
  await requeueDeadLetters(bench.owner, first);
  expect(await discardDeadLetter(bench.owner, first)).toBe(false);
  expect(await ids()).toEqual([]);
});

test('a request may know how many there are, and of no Mandant', async () => {
  await bench.owner.transaction((client) => enqueueFor(client, newMandant(), kind, { nr: 3 }));
  await bench.sql(
    `UPDATE auftraege SET faellig_am = now() - interval '90 seconds' WHERE aufgegeben_am IS NULL`,
  );
  const [state, ...others] = await readJobStates(bench.db);
  expect(others).toEqual([]);
  expect(state).toEqual({ job: 'test.auftrag', waiting: 1, givenUp: 2, seconds: expect.any(Number) });
  expect(state?.seconds).toBeGreaterThanOrEqual(90);
});
