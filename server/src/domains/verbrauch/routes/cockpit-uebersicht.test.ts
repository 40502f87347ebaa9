import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ZEITRAUM_WORTE } from '#contracts/zeitraum.ts';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;

/** Saturday, 21 November 2026, 14:30 in Berlin. */
const NOW = '2026-11-21T13:30:00.000Z';

beforeAll(async () => {
  service = await startService({ USD_EUR_RATE: '0.91' });
  service.clock.set(NOW);
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  const today = { stunde: '2026-11-21T11:00:00Z', tag: '2026-11-21' };
  const yesterday = { tag: '2026-11-20', agent: 'a' };
  await addConsumption(service, ours.mandantId, [
    { ...today, agent: 'a', endkunde: 'k1', kosten_eur: '0.1', aufrufe: 2, verbranntes_geld_eur: '0.10' },
    { ...today, agent: 'a', modell: 'm', kosten_eur: '0.2', geschaetzt: 1, geschaetzt_eur: '0.2' },
    { ...today, agent: 'b', endkunde: 'k1', modell: 'm', unbepreist: 1 },
    { ...yesterday, stunde: '2026-11-20T13:00:00Z', kosten_eur: '3' },
    { ...yesterday, stunde: '2026-11-20T14:00:00Z', kosten_eur: '4' },
    ...Array.from({ length: 12 }, (_, index) => ({
      stunde: '2026-03-29T01:00:00Z',
      tag: '2026-03-29',
      agent: `agent-${String(index).padStart(2, '0')}`,
      kosten_eur: `${index + 1}`,
    })),
  ]);
  await addConsumption(service, foreign.mandantId, [
    { ...today, agent: 'a', endkunde: 'k1', kosten_eur: '777' },
  ]);
});
afterAll(() => service.stop());

const get = (query: string, cookie?: string) =>
  service.app.inject({
    method: 'GET',
    url: `/v1/cockpit/uebersicht${query}`,
    headers: cookie ? { cookie } : {},
  });
async function read(query: string, cookie = ours.cookie) {
  const answer = await get(query, cookie);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
type Zeile = { schluessel: string; kosten_eur: string | null };
const costs = (zeilen: Zeile[]) => zeilen.map((zeile) => [zeile.schluessel, zeile.kosten_eur]);

describe('answers', () => {
  test('today by hour, up to now, compared with yesterday up to the same hour', async () => {
    const answer = await read('');
    expect(answer).toMatchObject({
      zeitraum: 'heute',
      von: '2026-11-21T00:00:00+01:00',
      bis: '2026-11-22T00:00:00+01:00',
      zeitzone: 'Europe/Berlin',
      aufloesung: 'stunde',
      gezaehlt_bis: NOW,
      demo: false,
    });
    expect(answer.summe).toMatchObject({
      kosten_eur: '0.3',
      gemessen_eur: '0.1',
      geschaetzt_eur: '0.2',
      aufrufe: 4,
      unbepreist: 1,
      verbranntes_geld_eur: '0.1',
    });
    expect(answer.vorher).toMatchObject({ kosten_eur: '3', aufrufe: 1 });
    expect(answer.verlauf).toHaveLength(15);
    expect(answer.verlauf[12]).toMatchObject({
      schluessel: '2026-11-21T12:00:00+01:00',
      kosten_eur: '0.3',
      aufrufe: 4,
    });
    expect(answer.verlauf[14]).toEqual({
      schluessel: '2026-11-21T14:00:00+01:00',
      kosten_eur: '0',
      kosten_usd: '0',
      aufrufe: 0,
      eingabe_token: 0,
      ausgabe_token: 0,
      cache_lese_token: 0,
      cache_schreib_token: 0,
      denk_token: 0,
      eingabe_ohne_cache: 0,
      ausgabe_gesamt: 0,
      aufgeteilt: 0,
      token: 0,
      fehler: 0,
      unbepreist: 0,
      teilbepreist: 0,
      geschaetzt: 0,
      verbranntes_geld_eur: '0',
    });
    expect(costs(answer.agenten)).toEqual([
      ['a', '0.3'],
      ['b', null],
    ]);
    expect(costs(answer.endkunden)).toEqual([
      ['', '0.2'],
      ['k1', '0.1'],
    ]);
    expect(costs(answer.modelle)).toEqual([
      ['m', '0.2'],
      ['gpt-5', '0.1'],
    ]);
  });

  test('a longer period by day, every day of it', async () => {
    const answer = await read('?zeitraum=7tage');
    expect(answer.aufloesung).toBe('tag');
    expect(costs(answer.verlauf)).toEqual([
      ['2026-11-15', '0'],
      ['2026-11-16', '0'],
      ['2026-11-17', '0'],
      ['2026-11-18', '0'],
      ['2026-11-19', '0'],
      ['2026-11-20', '7'],
      ['2026-11-21', '0.3'],
    ]);
    expect(answer.summe.kosten_eur).toBe('7.3');
    expect(answer.vorher).toMatchObject({ kosten_eur: null, aufrufe: 0 });
  });

  test('29 March has 23 hours; the ten most expensive of twelve', async () => {
    const answer = await read('?zeitraum=2026-03-29..2026-03-29');
    expect(answer.verlauf).toHaveLength(23);
    expect(answer.verlauf[2]).toMatchObject({ schluessel: '2026-03-29T03:00:00+02:00', kosten_eur: '78' });
    expect(answer.agenten).toHaveLength(10);
    expect(costs(answer.agenten)[0]).toEqual(['agent-11', '12']);
    expect(costs(answer.agenten)[9]).toEqual(['agent-02', '3']);
    expect(answer.summe.aufrufe).toBe(12);
  });

  test('an hour ahead of now that has calls stands in the course, so that it adds up', async () => {
    const ahead = await registerAccount(service);
    await addConsumption(service, ahead.mandantId, [
      { stunde: '2026-11-21T15:00:00Z', tag: '2026-11-21', agent: 'a', kosten_eur: '1' },
    ]);
    const answer = await read('', ahead.cookie);
    expect(answer.verlauf).toHaveLength(17);
    expect(costs(answer.verlauf).at(-1)).toEqual(['2026-11-21T16:00:00+01:00', '1']);
  });

  test('the reference rate of the latest day, else the configured one; the span of the data; the demo mark', async () => {
    expect(await read('')).toMatchObject({
      kurs: { usd_eur: '0.91', tag: null, quelle: 'ersatz' },
      daten_von: null,
      daten_bis: null,
    });
    await service.sql(
      `INSERT INTO wechselkurse VALUES ('2026-11-19', 0.85, 'ezb'), ('2026-11-20', 0.8620, 'ezb')`,
    );
    await service.sql('INSERT INTO zaehlstaende (mandant_id, daten_von, daten_bis) VALUES ($1, $2, $3)', [
      ours.mandantId,
      '2026-03-29T01:10:00Z',
      '2026-11-21T11:20:00.5Z',
    ]);
    await service.sql('UPDATE mandanten SET demo = true WHERE mandant_id = $1', [ours.mandantId]);
    expect(await read('')).toMatchObject({
      kurs: { usd_eur: '0.862', tag: '2026-11-20', quelle: 'ezb' },
      daten_von: '2026-03-29T01:10:00Z',
      daten_bis: '2026-11-21T11:20:00.5Z',
      demo: true,
    });
    expect(await read('', foreign.cookie)).toMatchObject({ daten_von: null, demo: false });
  });

  test('another Mandant with the same keys sees its own figures only, whatever the role', async () => {
    const viewer = await addUser(service, foreign, 'betrachter');
    const answer = await read('?zeitraum=jahr', viewer.cookie);
    expect(answer.summe).toMatchObject({ kosten_eur: '777', aufrufe: 1 });
    expect(costs(answer.agenten)).toEqual([['a', '777']]);
    expect(costs(answer.endkunden)).toEqual([['k1', '777']]);
  });
});

describe('refuses', () => {
  test('401 without a session, also with a key', async () => {
    expect((await get('')).statusCode).toBe(401);
    const headers = { authorization: `Bearer ${(await createKey(service, ours)).secret}` };
    const answer = await service.app.inject({ method: 'GET', url: '/v1/cockpit/uebersicht', headers });
    expect(answer.statusCode).toBe(401);
  });

  test('takes every word the description names', async () => {
    for (const word of ZEITRAUM_WORTE)
      expect(await read(`?zeitraum=${word}`)).toMatchObject({ zeitraum: word });
  });

  test.each(['quartal', '', '2026-11-21..2026-11-20', '2025-01-01..2026-11-21', '2026-02-30..2026-03-01'])(
    '422 for zeitraum=%s',
    async (zeitraum) => {
      const answer = await get(`?zeitraum=${zeitraum}`, ours.cookie);
      expect(answer.statusCode).toBe(422);
      expect(answer.json().detail).toEqual([
        expect.objectContaining({ loc: ['query', 'zeitraum'], type: 'value_error', input: zeitraum }),
      ]);
    },
  );
});
