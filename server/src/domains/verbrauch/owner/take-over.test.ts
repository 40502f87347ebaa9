import { afterAll, beforeAll, expect, test } from 'vitest';
import { DIMENSIONS } from '#contracts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { addConsumption, condenseDays } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { FIGURES_OF_PAIRS } from './take-over.ts';

let service: TestService;
let account: Account;
let bearer: { authorization: string };
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
  bearer = { authorization: `Bearer ${(await createKey(service, account)).secret}` };
});
afterAll(() => service?.stop());

const TAG = '2026-03-10';
const call = (agent: string, modell: string) => ({
  stunde: `${TAG}T11:00:00Z`,
  tag: TAG,
  agent,
  modell,
  aufrufe: 2,
  fehler: agent === 'a' ? 1 : 0,
  eingabe_token: 7,
  kosten_usd: '0.5',
  kosten_eur: '0.430000000000000001',
});

/** The lists of figures that there were, in SQL; of the others, those of now are not kept yet, those of then are zeros. */
const LISTS: Record<string, string> = {
  aufrufe: 'ARRAY[2, 2]',
  fehler: "CASE WHEN a.text = 'a' THEN ARRAY[1, 1]::bigint[] END",
  eingabe_token: 'ARRAY[7, 7]',
  kosten_usd: 'ARRAY[0.5, 0.50]',
  kosten_eur: 'ARRAY[0.430000000000000001, 0.430000000000000001]',
  teilbepreist: 'NULL',
  geschaetzt: 'NULL',
  denk_token: 'NULL',
  ersatz_eur: 'NULL',
  cache_lese_token: 'NULL',
  cache_schreib_token: 'NULL',
};

/** The pairs of agents and models of the day, in both directions, as the former release made them: no list of zeros alone. */
async function putPairs(): Promise<void> {
  const list = (name: string) => LISTS[name] ?? 'ARRAY[0, 0]';
  await service.sql(
    `INSERT INTO verbrauch_paar (mandant_id, merkmal_id, nach, tag, andere, ${FIGURES_OF_PAIRS.join(', ')})
     SELECT $1, a.merkmal_id, ${DIMENSIONS.modell.number}, '${TAG}',
       ARRAY(SELECT merkmal_id FROM merkmale WHERE mandant_id = $1 AND dimension = ${DIMENSIONS.modell.number} ORDER BY text DESC),
       ${FIGURES_OF_PAIRS.map(list).join(', ')}
     FROM merkmale a WHERE a.mandant_id = $1 AND a.dimension = ${DIMENSIONS.agent.number}`,
    [account.mandantId],
  );
}

test('days that the former release has condensed are read from its pairs, once these are lists; their calls may be gone', async () => {
  await addConsumption(service, account.mandantId, [
    call('a', 'm'),
    call('a', 'n'),
    call('b', 'm'),
    call('b', 'n'),
  ]);
  const asked = async () => {
    const url = '/v1/api/verbrauch?gruppe=modell&agent=a&von=2026-03-01&bis=2026-04-01';
    return (await service.app.inject({ method: 'GET', url, headers: bearer })).json();
  };
  const before = await asked();
  expect(before.zeilen).toMatchObject([
    { schluessel: 'm', aufrufe: 2, fehler: 1, eingabe_token: 7, kosten_eur: '0.430000000000000001' },
    { schluessel: 'n', aufrufe: 2, fehler: 1, kosten_usd: '0.5' },
  ]);
  await putPairs();
  await service.sql('TRUNCATE verbrauch_liste');
  await service.sql('UPDATE verbrauch_tagesstand SET gelistet = NULL, verdichtet = geaendert');
  // No list yet, and no events.
  expect((await asked()).zeilen).toEqual([]);
  expect(await condenseDays(service)).toBe(0);
  // It kept no tokens alike for every provider: these are unknown.
  const unknown = { eingabe_ohne_cache: null, ausgabe_gesamt: null, aufgeteilt: 0, token: null };
  expect(await asked()).toEqual({
    ...before,
    zeilen: before.zeilen.map((row: object) => ({ ...row, ...unknown })),
    gezaehlt_bis: expect.anything(),
  });
});

test('pairs of a state that has passed are not taken over', async () => {
  await service.sql('TRUNCATE verbrauch_liste');
  await service.sql(
    'UPDATE verbrauch_tagesstand SET gelistet = NULL, verdichtet = geaendert, geaendert = geaendert + 1',
  );
  await condenseDays(service);
  const rows = await service.sql('SELECT FROM verbrauch_liste WHERE mandant_id = $1', [account.mandantId]);
  expect(rows).toEqual([]);
});
