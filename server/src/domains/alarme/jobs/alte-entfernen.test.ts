import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MandantId } from '#kernel/mandant-id.ts';
import { type AlarmBench, createAlarmBench } from '#test/alarms.ts';
import { alteAlarmeEntfernenJob } from './alte-entfernen.ts';

let bench: AlarmBench;
beforeAll(async () => {
  bench = await createAlarmBench();
});
afterAll(() => bench?.stop());

async function put(mandant: MandantId, age: string): Promise<void> {
  const alarm = randomUUID();
  await bench.sql(
    `INSERT INTO alarme (mandant_id, alarm_id, art, ursache, stufe, titel_de, titel_en, text_de, text_en, pfad, zeitpunkt)
     VALUES ($1, $2::uuid, 'alarm', $2::uuid::text, 'warnen', $3::text, '', '', '', '/', now() - $3::text::interval)`,
    [mandant, alarm, age],
  );
  await bench.sql(
    `INSERT INTO alarm_zustellungen (mandant_id, zustellung_id, alarm_id, kanal, status, frist, erstellt_am)
     VALUES ($1, $2::uuid, $2::uuid, 'email', 'zugestellt', now(), now() - $3::interval)`,
    [mandant, alarm, age],
  );
}

test('removes what is older than a year, of every Mandant, and nothing else', async () => {
  const mandanten = [await bench.mandantWith({}), await bench.mandantWith({})];
  for (const mandant of mandanten)
    for (const age of ['400 days', '364 days', '1 second']) await put(mandant, age);
  expect(await alteAlarmeEntfernenJob(bench).run()).toEqual({ entfernt: 4 });
  for (const mandant of mandanten) {
    const left = await bench.sql('SELECT titel_de FROM alarme WHERE mandant_id = $1 ORDER BY zeitpunkt', [
      mandant,
    ]);
    expect(left.map(({ titel_de }) => titel_de)).toEqual(['364 days', '1 second']);
    expect(await bench.deliveries(mandant)).toHaveLength(2);
  }
  expect(await alteAlarmeEntfernenJob(bench).run()).toEqual({ entfernt: 0 });
});
