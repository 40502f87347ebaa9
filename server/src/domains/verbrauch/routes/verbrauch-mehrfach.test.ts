/** Several filters and groupings at once, dimensions of one's own among them. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { giveEndedEngine } from '#test/ending-engine.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

/** Saturday, 21 November 2026, 14:30 in Berlin. */
const NOW = '2026-11-21T13:30:00.000Z';
const WINDOW = 'von=2026-11-19&bis=2026-11-22';

let service: TestService;
let account: Account;
let headers: { authorization: string };

interface Sent {
  agent: string;
  endkunde?: string;
  modell?: string;
  team?: string;
  zeitpunkt?: string;
  eingabe?: number;
}

async function send(sender: Account, calls: Sent[]): Promise<void> {
  const { secret } = await createKey(service, sender);
  const ereignisse = calls.map(
    ({ agent, endkunde, modell = 'gpt-4o-mini', team, zeitpunkt = NOW, eingabe = 1_000 }) => ({
      ...{ ereignis_id: randomUUID(), agent, anbieter: 'openai', modell, zeitpunkt },
      ...{ eingabe_token: eingabe, ausgabe_token: 0 },
      ...(endkunde ? { endkunde_ref: endkunde } : {}),
      ...(team ? { zusatz: { team } } : {}),
    }),
  );
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse },
  });
  expect(answer.statusCode, answer.body).toBe(202);
}

const CALLS: Sent[] = [
  { agent: 'a', endkunde: 'k1', team: 'suche', eingabe: 8_000 },
  { agent: 'a', endkunde: 'k1', team: 'suche', zeitpunkt: '2026-11-20T10:00:00Z' },
  { agent: 'a', endkunde: 'k2', eingabe: 4_000 },
  { agent: 'b', endkunde: 'k1', team: 'kasse', eingabe: 2_000 },
  { agent: 'b', modell: 'unbekannt' },
  { agent: 'c', endkunde: 'k2', modell: 'gpt-4o', eingabe: 100 },
];

beforeAll(async () => {
  service = await startService({ USD_EUR_RATE: '1' });
  service.clock.set('2026-11-21T13:00:00.000Z');
  account = await registerAccount(service);
  const foreign = await registerAccount(service);
  headers = { authorization: `Bearer ${(await createKey(service, account, ['Lesen'])).secret}` };
  const named = await service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/mandant/zuordnung',
    headers: { cookie: account.cookie },
    payload: {
      ...{ endkunde_namen: [], funktion_namen: [], projekt_namen: [], abo_weiterbelasten: false },
      merkmale: ['', 'team'],
    },
  });
  expect(named.statusCode, named.body).toBe(200);
  service.clock.set(NOW);
  await send(account, CALLS);
  await send(foreign, [{ agent: 'a', endkunde: 'k1', team: 'suche', eingabe: 900_000 }]);
  await countAll(service);
});
afterAll(() => service?.stop());

const get = (query: string) => service.app.inject({ url: `/v1/api/verbrauch?${query}`, headers });

async function read(query: string) {
  const answer = await get(`${query}&${WINDOW}`);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

type Zeile = { schluessel: string; werte?: string[]; aufrufe: number; kosten_usd: string | null };
const costs = ({ zeilen }: { zeilen: Zeile[] }) =>
  zeilen.map(({ werte, schluessel, aufrufe, kosten_usd }) => [
    ...(werte ?? [schluessel]),
    aufrufe,
    kosten_usd,
  ]);

describe('several groupings', () => {
  test('have a row for each group, the most expensive first, unknown costs last', async () => {
    const answer = await read('gruppe=agent,endkunde');
    expect(answer.gruppe).toBe('agent,endkunde');
    expect(costs(answer)).toEqual([
      ['a', 'k1', 2, '0.00135'],
      ['a', 'k2', 1, '0.0006'],
      ['b', 'k1', 1, '0.0003'],
      ['c', 'k2', 1, '0.00025'],
      ['b', '', 1, null],
    ]);
    expect(answer.zeilen[0].schluessel).toBe('a · k1');
    expect(answer).toMatchObject({ rest: null, weiter: null, summe: { aufrufe: 6, kosten_usd: '0.0025' } });
  });

  test('are up to three, days and hours among them', async () => {
    expect(costs(await read('gruppe=tag,agent,modell&agent=a'))).toEqual([
      ['2026-11-21', 'a', 'gpt-4o-mini', 2, '0.0018'],
      ['2026-11-20', 'a', 'gpt-4o-mini', 1, '0.00015'],
    ]);
    expect(costs(await read('gruppe=tag,stunde&agent=a'))).toEqual([
      ['2026-11-20', '2026-11-20T11:00:00+01:00', 1, '0.00015'],
      ['2026-11-21', '2026-11-21T14:00:00+01:00', 2, '0.0018'],
    ]);
  });

  test.each(['agent,endkunde', 'modell,agent,endkunde', 'tag,stunde', 'tag,merkmal_2', 'merkmal_2'])(
    'come page by page: %s',
    async (gruppe) => {
      const whole = await read(`gruppe=${gruppe}`);
      const rows: Zeile[] = [];
      let nach = '';
      do {
        const page = await read(`gruppe=${gruppe}&limit=1${nach}`);
        rows.push(...page.zeilen);
        expect(page.summe).toEqual(whole.summe);
        nach = page.weiter ? `&nach=${page.weiter}` : '';
      } while (nach !== '');
      expect(rows).toEqual(whole.zeilen);
    },
  );
});

describe('several filters', () => {
  test('of one dimension are any of the values, of several all of them', async () => {
    expect(costs(await read('gruppe=agent&agent=b&agent=c'))).toEqual([
      ['b', 2, '0.0003'],
      ['c', 1, '0.00025'],
    ]);
    expect(costs(await read('gruppe=agent&agent=a&agent=b&endkunde=k1'))).toEqual([
      ['a', 2, '0.00135'],
      ['b', 1, '0.0003'],
    ]);
    expect(costs(await read('gruppe=agent&agent=b&endkunde='))).toEqual([['b', 1, null]]);
    expect(await read('gruppe=agent&agent=a&endkunde=niemand')).toMatchObject({
      zeilen: [],
      summe: { aufrufe: 0, kosten_usd: null },
    });
  });

  test('answer what one filter answers from the sums', async () => {
    for (const filter of ['agent=a', 'endkunde=k1', 'endkunde=', 'modell=unbekannt'])
      for (const gruppe of ['modell', 'endkunde', 'tag', 'stunde']) {
        const { zeilen, summe } = await read(`gruppe=${gruppe}&${filter}&anbieter=openai`);
        const plain = await read(`gruppe=${gruppe}&${filter}`);
        expect({ zeilen, summe }, `${gruppe} ${filter}`).toEqual({
          zeilen: plain.zeilen,
          summe: plain.summe,
        });
      }
  });
});

describe('dimensions of one’s own', () => {
  test('group and filter; calls without a value are a group, too', async () => {
    expect(costs(await read('gruppe=merkmal_2'))).toEqual([
      ['suche', 2, '0.00135'],
      ['', 3, '0.00085'],
      ['kasse', 1, '0.0003'],
    ]);
    expect(costs(await read('gruppe=agent&merkmal_2=suche&merkmal_2=kasse'))).toEqual([
      ['a', 2, '0.00135'],
      ['b', 1, '0.0003'],
    ]);
    expect(costs(await read('gruppe=agent&merkmal_2='))).toEqual([
      ['a', 1, '0.0006'],
      ['c', 1, '0.00025'],
      ['b', 1, null],
    ]);
    expect(costs(await read('gruppe=merkmal_1&agent=a'))).toEqual([['', 3, '0.00195']]);
  });
});

describe('what cannot be asked', () => {
  test.each([
    ['gruppe=agent,lauf', 'gruppe', 'literal_error'],
    ['gruppe=agent,', 'gruppe', 'literal_error'],
    ['gruppe=agent,modell,tag,stunde', 'gruppe', 'too_long'],
    ['gruppe=agent,agent', 'gruppe', 'value_error'],
    ['gruppe=agent,modell&teilung=tag', 'teilung', 'value_error'],
    ['gruppe=agent&agent=a&agent=b&teilung=tag', 'teilung', 'value_error'],
    ['gruppe=agent,modell&nach=x', 'nach', 'value_error'],
    [`${Array.from({ length: 101 }, (_, n) => `agent=${n}`).join('&')}`, 'agent', 'too_long'],
  ])('422 for %s', async (query, name, type) => {
    const answer = await get(query);
    expect(answer.statusCode, answer.body).toBe(422);
    expect(answer.json().detail).toEqual([expect.objectContaining({ loc: ['query', name], type })]);
  });

  test('401 without a key, 503 while the engine is gone', async () => {
    expect((await service.app.inject({ url: '/v1/api/verbrauch?gruppe=agent,modell' })).statusCode).toBe(401);
    const giveBack = await giveEndedEngine(service.context);
    const answer = await get('gruppe=agent,modell');
    giveBack();
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '2']);
    expect((await get('gruppe=agent,modell')).statusCode).toBe(200);
  });
});
