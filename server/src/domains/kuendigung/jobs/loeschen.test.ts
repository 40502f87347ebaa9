/** Whose time is up; what the removal itself does is a spec of its own (acceptance/removal.test.ts). */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { loeschenJob } from './loeschen.ts';

let bench: JobsBench;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench?.stop());

async function createMandant(status: string, ago: string | null): Promise<string> {
  const mandant = newMandant();
  await bench.sql(
    `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone, status, gekuendigt_am)
     VALUES ($1, 'Muster GmbH', 'test', 'UTC', $2, now() - $3::interval)`,
    [mandant, status, ago],
  );
  return mandant;
}
const left = async () =>
  (await bench.sql<{ mandant_id: string }>('SELECT mandant_id FROM mandanten')).map(
    ({ mandant_id }) => mandant_id,
  );

test('removes nobody while thirty days have passed by a clock that was not looked at for a day', async () => {
  const mandant = await createMandant('gekündigt', '31 days');
  const { run } = loeschenJob(bench);
  for (const passed of [null, '1 day 1 hour', '31 days']) {
    await bench.sql('UPDATE uhrstand SET vergangen_bis = now() - $1::interval', [passed]);
    expect(await run()).toEqual({ geloescht: 0 });
    expect(await left()).toEqual([mandant]);
  }
  await bench.sql(`UPDATE uhrstand SET vergangen_bis = now() - interval '23 hours'`);
  expect(await run()).toEqual({ geloescht: 1 });
  await bench.sql(`UPDATE uhrstand SET vergangen_bis = 'infinity'`);
});

test('removes whose thirty days are over, the others whatever happens to one of them', async () => {
  const stays = [await createMandant('aktiv', null), await createMandant('gekündigt', '29 days 23:55')];
  const stuck = await createMandant('gekündigt', '31 days');
  await createMandant('gekündigt', '30 days 1 second');
  await createMandant('gekündigt', '32 days');
  await bench.sql(`CREATE FUNCTION stoerung() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'injected'; END $$`);
  await bench.sql(`CREATE TRIGGER stoerung BEFORE DELETE ON mandanten FOR EACH ROW
    WHEN (old.mandant_id = '${stuck}') EXECUTE FUNCTION stoerung()`);
  const { run } = loeschenJob(bench);
  await expect(run()).rejects.toThrow('failed for 1 of 3 Mandanten');
  expect((await left()).sort()).toEqual([...stays, stuck].sort());
  await bench.sql('DROP TRIGGER stoerung ON mandanten');
  expect(await run()).toEqual({ geloescht: 1 });
  expect((await left()).sort()).toEqual([...stays].sort());
  expect(await run()).toEqual({ geloescht: 0 });
});
