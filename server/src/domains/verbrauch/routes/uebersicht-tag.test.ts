import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;
let bearer: { authorization: string };

beforeAll(async () => {
  service = await startService();
  // Past midnight in Berlin, not yet in UTC.
  service.clock.set('2026-11-20T23:30:00Z');
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
  bearer = { authorization: `Bearer ${(await createKey(service, ours, ['Lesen'])).secret}` };
  const today = { stunde: '2026-11-20T23:00:00Z', tag: '2026-11-21', agent: 'a' };
  await addConsumption(service, ours.mandantId, [
    { ...today, projekt: 'p1', kosten_eur: '0.1', aufrufe: 1 },
    {
      ...today,
      projekt: 'p1',
      modell: 'm',
      kosten_eur: '0.2',
      aufrufe: 1,
      geschaetzt: 1,
      geschaetzt_eur: '0.2',
    },
    { ...today, projekt: 'p1', endkunde: 'k1', kosten_eur: '5', aufrufe: 2 },
    { ...today, projekt: 'p2', endkunde: 'k1', aufrufe: 3, unbepreist: 3 },
    { stunde: '2026-11-20T22:00:00Z', tag: '2026-11-20', agent: 'a', projekt: 'p1', kosten_eur: '9' },
  ]);
  await addConsumption(service, foreign.mandantId, [
    { ...today, projekt: 'p1', endkunde: 'k1', kosten_eur: '777' },
  ]);
});
afterAll(() => service.stop());

const get = (query = '', headers: Record<string, string> = bearer) =>
  service.app.inject({ method: 'GET', url: `/v1/uebersicht/tag${query}`, headers });

test('answers today, the local day, per project and end customer', async () => {
  const answer = await get();
  expect(answer.statusCode).toBe(200);
  const { zeilen, summe, ...rest } = answer.json();
  expect(rest).toEqual({
    datum: '2026-11-21',
    zeitzone: 'Europe/Berlin',
    rest: null,
    kursquellen: [{ quelle: 'ezb', kosten_eur: '5.3', anteil: '1', ersatzkurse: [] }],
    weiter: null,
    gezaehlt_bis: '2026-11-20T23:30:00.000Z',
  });
  expect(zeilen).toMatchObject([
    { projekt: 'p1', endkunde: 'k1', kosten_eur: '5', aufrufe: 2 },
    { projekt: 'p1', endkunde: null, kosten_eur: '0.3', aufrufe: 2, geschaetzt: 1 },
    { projekt: 'p2', endkunde: 'k1', kosten_eur: null, aufrufe: 3, unbepreist: 3, verbranntes_geld_eur: '0' },
  ]);
  expect(zeilen).toHaveLength(3);
  expect(summe).toMatchObject({ kosten_eur: '5.3', gemessen_eur: '5.1', geschaetzt_eur: '0.2', aufrufe: 7 });
});

test('answers the day asked for, empty where nothing was called', async () => {
  expect((await get('?datum=2026-11-20')).json()).toMatchObject({
    datum: '2026-11-20',
    zeilen: [{ projekt: 'p1', endkunde: null, kosten_eur: '9' }],
    summe: { kosten_eur: '9', aufrufe: 1 },
  });
  expect((await get('?datum=0001-01-01')).json()).toMatchObject({
    zeilen: [],
    summe: { kosten_eur: null, aufrufe: 0 },
  });
});

test('shows another Mandant its own day only', async () => {
  const theirs = { authorization: `Bearer ${(await createKey(service, foreign)).secret}` };
  const { zeilen, summe } = (await get('', theirs)).json();
  expect(zeilen).toHaveLength(1);
  expect(summe.kosten_eur).toBe('777');
});

test('401 without a key, 403 for a key that may only send', async () => {
  expect((await get('', {})).statusCode).toBe(401);
  const { secret } = await createKey(service, ours, ['Senden']);
  expect((await get('', { authorization: `Bearer ${secret}` })).statusCode).toBe(403);
});

test.each(['heute', '2026-02-30', '21.11.2026'])('422 for datum=%s', async (datum) => {
  const answer = await get(`?datum=${datum}`);
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail[0].loc).toEqual(['query', 'datum']);
});
