import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
let bearer: { authorization: string };

/** Saturday, 21 November 2026, 14:30 in Berlin. */
const NOW = '2026-11-21T13:30:00.000Z';

beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW);
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  bearer = { authorization: `Bearer ${(await createKey(service, ours, ['Lesen'])).secret}` };
  const night = { stunde: '2026-11-20T22:00:00Z', tag: '2026-11-20' };
  const noon = { stunde: '2026-11-21T11:00:00Z', tag: '2026-11-21' };
  await addConsumption(service, ours.mandantId, [
    {
      ...night,
      agent: 'a',
      endkunde: 'k1',
      aufrufe: 3,
      fehler: 1,
      kosten_eur: '0.100000000001',
      kosten_usd: '0.12',
    },
    {
      ...noon,
      agent: 'a',
      aufrufe: 2,
      geschaetzt: 1,
      kosten_eur: '0.2000',
      geschaetzt_eur: '0.05',
      eingabe_token: 7,
    },
    { ...noon, agent: 'b', endkunde: 'k1', modell: '', aufrufe: 4, unbepreist: 4 },
    { ...noon, agent: 'c', aufrufe: 1, kosten_eur: '20', kosten_usd: '23', verbranntes_geld_eur: '20.0' },
    // The night of 25 October, in which 02:00 comes twice.
    { stunde: '2026-10-25T00:00:00Z', tag: '2026-10-25', agent: 'a', kosten_eur: '1' },
    { stunde: '2026-10-25T01:00:00Z', tag: '2026-10-25', agent: 'a', kosten_eur: '2' },
    // Beyond 2^53 - 1 in sum, and long ago.
    { stunde: '2024-05-01T10:00:00Z', tag: '2024-05-01', agent: 'a', eingabe_token: '9007199254740991' },
    { stunde: '2024-05-01T11:00:00Z', tag: '2024-05-01', agent: 'a', eingabe_token: '9007199254740990' },
    // Counted when such times were still accepted.
    { stunde: '1969-12-31T22:00:00Z', tag: '1969-12-31', agent: 'a', aufrufe: 5 },
    { stunde: '0001-01-01T00:00:00Z', tag: '0001-01-01', agent: 'b', aufrufe: 7 },
  ]);
  await addConsumption(service, foreign.mandantId, [
    { ...noon, agent: 'a', endkunde: 'k1', kosten_eur: '777' },
  ]);
});
afterAll(() => service.stop());

const get = (query: string, headers: Record<string, string> = bearer) =>
  service.app.inject({ method: 'GET', url: `/v1/api/verbrauch${query}`, headers });
async function read(query: string) {
  const answer = await get(query);
  expect(answer.statusCode).toBe(200);
  return answer.json();
}
const costs = ({ zeilen }: { zeilen: { schluessel: string; kosten_eur: string | null }[] }) =>
  zeilen.map((zeile) => [zeile.schluessel, zeile.kosten_eur]);

describe('answers', () => {
  test.each([
    ['von=1969-12-31&bis=1970-01-01', 'agent', [['a', 5]]],
    ['von=1969-12-01&bis=1971-01-01', 'tag', [['1969-12-31', 5]]],
    ['von=0001-01-01&bis=0001-01-02', 'agent', [['b', 7]]],
    ['von=0001-01-01&bis=0001-02-01', 'stunde', [['0001-01-01T00:53:28+00:53', 7]]],
  ])('what was dated before 1970 is found: %s by %s', async (window, gruppe, rows) => {
    const { zeilen, summe } = await read(`?${window}&gruppe=${gruppe}`);
    expect(zeilen.map((row: Record<string, unknown>) => [row.schluessel, row.aufrufe])).toEqual(rows);
    expect(summe.aufrufe).toBe(rows[0]?.[1]);
  });

  test('the last 30 days by agent, most expensive first, unknown costs last', async () => {
    const answer = await read('');
    expect(answer).toMatchObject({
      von: '2026-10-22T00:00:00+02:00',
      bis: '2026-11-21T15:00:00+01:00',
      gruppe: 'agent',
      gezaehlt_bis: NOW,
    });
    expect(costs(answer)).toEqual([
      ['c', '20'],
      ['a', '3.300000000001'],
      ['b', null],
    ]);
    expect(answer.zeilen[1]).toEqual({
      schluessel: 'a',
      kosten_eur: '3.300000000001',
      kosten_usd: '0.12',
      aufrufe: 7,
      eingabe_token: 7,
      ausgabe_token: 0,
      cache_lese_token: 0,
      cache_schreib_token: 0,
      denk_token: 0,
      eingabe_ohne_cache: 0,
      ausgabe_gesamt: 0,
      aufgeteilt: 7,
      token: 0,
      fehler: 1,
      unbepreist: 0,
      teilbepreist: 0,
      geschaetzt: 1,
      verbranntes_geld_eur: '0',
    });
    expect(answer.summe).toEqual({
      kosten_eur: '23.300000000001',
      kosten_usd: '23.12',
      gemessen_eur: '23.250000000001',
      ersatz_eur: '0',
      geschaetzt_eur: '0.05',
      aufrufe: 12,
      eingabe_token: 7,
      ausgabe_token: 0,
      cache_lese_token: 0,
      cache_schreib_token: 0,
      denk_token: 0,
      eingabe_ohne_cache: 0,
      ausgabe_gesamt: 0,
      aufgeteilt: 12,
      token: 0,
      fehler: 1,
      unbepreist: 4,
      teilbepreist: 0,
      geschaetzt: 1,
      verbranntes_geld_eur: '20',
    });
  });

  test('end customers and models; calls without one have the empty key', async () => {
    const window = '&von=2026-11-20&bis=2026-11-22';
    expect(costs(await read(`?gruppe=endkunde${window}`))).toEqual([
      ['', '20.2'],
      ['k1', '0.100000000001'],
    ]);
    expect(costs(await read(`?gruppe=modell${window}`))).toEqual([
      ['gpt-5', '20.300000000001'],
      ['', null],
    ]);
  });

  test('days ascending, also where the window cuts one', async () => {
    expect(costs(await read('?gruppe=tag&von=2026-10-25T02:30:00%2B01:00'))).toEqual([
      ['2026-10-25', '2'],
      ['2026-11-20', '0.100000000001'],
      ['2026-11-21', '20.2'],
    ]);
  });

  test('hours with their offset: 02:00 twice on 25 October', async () => {
    const answer = await read('?gruppe=stunde&von=2026-10-25&bis=2026-10-26');
    expect(answer).toMatchObject({ von: '2026-10-25T00:00:00+02:00', bis: '2026-10-26T00:00:00+01:00' });
    expect(costs(answer)).toEqual([
      ['2026-10-25T02:00:00+02:00', '1'],
      ['2026-10-25T02:00:00+01:00', '2'],
    ]);
  });

  test('widens the window to whole hours and says so', async () => {
    const answer = await read('?von=2026-11-21T11:59:00Z&bis=2026-11-21T11:59:30Z');
    expect(answer).toMatchObject({ von: '2026-11-21T12:00:00+01:00', bis: '2026-11-21T13:00:00+01:00' });
    expect(answer.summe.aufrufe).toBe(7);
  });

  test('a window without calls has no rows and cost nothing', async () => {
    const { zeilen, rest, summe } = await read('?von=2026-01-01&bis=2026-02-01');
    expect(zeilen).toEqual([]);
    expect(rest).toBeNull();
    expect(summe).toMatchObject({ kosten_eur: null, gemessen_eur: null, geschaetzt_eur: null });
    expect(summe).toMatchObject({ aufrufe: 0, verbranntes_geld_eur: '0' });
  });

  test('counts beyond 2^53 to the last digit', async () => {
    const { body } = await get('?von=2024-05-01&bis=2024-05-02');
    expect(body.match(/"eingabe_token":18014398509481981\b/g)).toHaveLength(2);
  });

  test('until when everything is counted: just before the receipt of the oldest batch that waits', async () => {
    const insert = `INSERT INTO eingang (mandant_id, eingang_id, empfangen_am, schluessel_id, anzahl, umfang, daten)
      VALUES ($1, $2, $3, gen_random_uuid(), 1, 0, '')`;
    await service.sql(insert, [
      foreign.mandantId,
      '01900000-0000-7000-8000-000000000000',
      '2026-11-21T09:00:00Z',
    ]);
    expect((await read('')).gezaehlt_bis).toBe(NOW);
    await service.sql(insert, [
      ours.mandantId,
      '01900000-0000-7000-8000-000000000002',
      '2026-11-21T13:00:02Z',
    ]);
    await service.sql(insert, [
      ours.mandantId,
      '01900000-0000-7000-8000-000000000001',
      '2026-11-21T13:00:01Z',
    ]);
    expect((await read('')).gezaehlt_bis).toBe('2026-11-21T13:00:00.999Z');
    await service.sql('DELETE FROM eingang');
  });
});

describe('refuses', () => {
  test('401 without a key, with a wrong one and with a session', async () => {
    for (const headers of [{}, { authorization: 'Bearer zw_live_falsch' }, { cookie: ours.cookie }]) {
      const answer = await get('', headers as Record<string, string>);
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('Bearer');
    }
  });

  test('403 for a key that may only send', async () => {
    const { secret } = await createKey(service, ours, ['Senden']);
    expect((await get('', { authorization: `Bearer ${secret}` })).statusCode).toBe(403);
  });

  test.each([
    ['gruppe=lauf', 'gruppe', 'literal_error'],
    ['von=2026-11-21&bis=2026-11-21', 'von', 'value_error'],
    ['von=2026-11-22T00:00:00Z&bis=2026-11-21', 'von', 'value_error'],
    ['von=2010-01-01&bis=2026-01-01', 'von', 'value_error'],
    ['von=9999-01-01&bis=9999-02-01', 'bis', 'value_error'],
  ])('422 for %s', async (query, name, type) => {
    const answer = await get(`?${query}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual([expect.objectContaining({ loc: ['query', name], type })]);
  });

  test.each(['von=gestern', 'bis=2026-02-30', 'von=2026-11-21T25:00:00Z'])('422 for %s', async (query) => {
    const answer = await get(`?${query}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc).toEqual(['query', query.split('=')[0]]);
  });
});
