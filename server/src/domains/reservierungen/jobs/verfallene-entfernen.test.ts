import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '#test/service.ts';
import { verfalleneEntfernenJob } from './verfallene-entfernen.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const put = (agent: string, betrag: number, left: string) =>
  service.sql(
    `INSERT INTO reservierungen (mandant_id, reservierung_id, fuer, betrag_eur, angelegt_am, verfaellt_am)
     VALUES (gen_random_uuid(), gen_random_uuid(), ARRAY['mandant=', 'agent=' || $1], $2, now(), now() + $3::interval)`,
    [agent, betrag, left],
  );
const left = async () =>
  (await service.sql<{ agent: string }>('SELECT fuer[2] AS agent FROM reservierungen ORDER BY 1')).map(
    ({ agent }) => agent,
  );

test('removes what has lapsed or is booked, of every Mandant, and nothing that is still held', async () => {
  await put('verfallen', 1, '-1 second');
  await put('gebucht', 0, '1 hour');
  await put('offen', 0.01, '1 hour');
  const { run } = verfalleneEntfernenJob({ owner: service.operators });
  expect(await run()).toEqual({ entfernt: 2 });
  expect(await left()).toEqual(['agent=offen']);
  expect(await run()).toEqual({ entfernt: 0 });
});

test('while no time is certain, only what is booked', async () => {
  await service.sql('UPDATE uhrstand SET vergangen_bis = NULL');
  await put('verfallen', 1, '-1 second');
  await put('gebucht', 0, '1 hour');
  expect(await verfalleneEntfernenJob({ owner: service.operators }).run()).toEqual({ entfernt: 1 });
  expect(await left()).toEqual(['agent=offen', 'agent=verfallen']);
});
