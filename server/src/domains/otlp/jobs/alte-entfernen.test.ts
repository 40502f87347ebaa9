import { afterAll, beforeAll, expect, test } from 'vitest';
import { createJobsBench, type JobsBench, newMandant } from '#test/jobs.ts';
import { alteEntfernenJob } from './alte-entfernen.ts';

let bench: JobsBench;
beforeAll(async () => {
  bench = await createJobsBench();
});
afterAll(() => bench?.stop());

/** A Mandant that was told something so long ago. */
async function told(ago: string): Promise<string> {
  const mandant = newMandant();
  await bench.sql(
    `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) VALUES ($1, 'Muster', 'frei', 'UTC')`,
    [mandant],
  );
  await bench.sql(
    `INSERT INTO otlp_spuren (mandant_id, spur, lieferung_id, empfangen_am, schluessel_id, instanz, sichtungen)
     VALUES ($1, 'a', gen_random_uuid(), now() - $2::interval, gen_random_uuid(), 'one', '[]')`,
    [mandant, ago],
  );
  return mandant;
}

test('what was told a day ago is removed, and nothing else', async () => {
  const old = await told('25 hours');
  const young = await told('23 hours');
  await alteEntfernenJob(bench).run();
  const left = await bench.sql<{ mandant_id: string }>('SELECT mandant_id FROM otlp_spuren');
  const ids = left.map(({ mandant_id }) => mandant_id);
  expect(ids).toContain(young);
  expect(ids).not.toContain(old);
});
