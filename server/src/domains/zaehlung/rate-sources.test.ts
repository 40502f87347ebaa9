/** Answers name where the rates of their cost are from: of each period, with shares, never a rate that had no part in it. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { createCountingWorker } from './index.ts';

const RUN = randomUUID();
const AGENT = 'support/triage';

let service: TestService;
let owner: OwnerDatabase;
let account: Account;
let secret: string;

async function count(substituteRate: string, substituteDay: string | null): Promise<void> {
  const { log } = service.context;
  const prices = createPriceList();
  await createCountingWorker({ db: owner, log, prices, substituteRate, substituteDay }).drain();
}

/** A million tokens of a model that costs 0.15 USD for them. */
const call = (zeitpunkt: string, agent = AGENT) => ({
  zeitpunkt,
  agent,
  lauf_id: RUN,
  anbieter: 'openai',
  modell: 'gpt-4o-mini',
  eingabe_token: 1_000_000,
  ausgabe_token: 0,
});

async function send(...ereignisse: object[]): Promise<void> {
  const headers = { authorization: `Bearer ${secret}` };
  const sent = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers,
    payload: { ereignisse },
  });
  expect(sent.statusCode).toBe(202);
}

async function read(url: string) {
  const headers = url.startsWith('/v1/cockpit')
    ? { cookie: account.cookie }
    : { authorization: `Bearer ${secret}` };
  const answer = await service.app.inject({ method: 'GET', url, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

beforeAll(async () => {
  service = await startService({ USD_EUR_RATE: '0.86' });
  service.clock.set('2026-11-21T13:30:00.000Z');
  const options = { connection: service.connection, max: 3, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
  account = await registerAccount(service);
  secret = (await createKey(service, account)).secret;
  await service.sql(
    `INSERT INTO wechselkurse (tag, usd_eur, quelle) VALUES ('2026-11-13', 0.7, 'ezb'), ('2026-11-20', 0.6123456789, 'ezb')`,
  );
  await send(call('2026-02-25T10:00:00Z'), call('2026-03-05T10:00:00Z', 'other'));
  await count('0.86', '2026-11-20');
  await send(call('2026-11-14T10:00:00Z'), call('2026-11-20T10:00:00Z'));
  await count('0.86', '2026-11-20');
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

const OLD = { quelle: 'ersatz', ersatzkurse: [{ usd_eur: '0.86', tag: '2026-11-20' }] };

test('a period before the first reference rate rests on the substitute, whatever the rate of today', async () => {
  const overview = await read('/v1/cockpit/uebersicht?zeitraum=2026-02-25..2026-03-05');
  expect(overview.summe).toMatchObject({ kosten_eur: '0.258', ersatz_eur: '0.258' });
  expect(overview.kursquellen).toEqual([{ ...OLD, kosten_eur: '0.258', anteil: '1' }]);
  // The rate of today is said beside it, as that.
  expect(overview.kurs).toEqual({ usd_eur: '0.6123456789', tag: '2026-11-20', quelle: 'ezb' });
});

test('a period with both names both with their shares, by key, by session and of one value', async () => {
  const eur = { ersatz: '0.258', ezb: '0.196851851835' };
  const both = [
    { ...OLD, kosten_eur: eur.ersatz, anteil: '0.567218' },
    { quelle: 'ezb', kosten_eur: eur.ezb, anteil: '0.432782', ersatzkurse: [] },
  ];
  const window = 'von=2026-02-01&bis=2026-11-22';
  for (const door of ['/v1/api/verbrauch', '/v1/cockpit/verbrauch']) {
    const answer = await read(`${door}?${window}`);
    expect(answer.kursquellen, door).toEqual(both);
    expect(answer.summe.kosten_eur).toBe('0.454851851835');
    expect((await read(`${door}?${window}&agent=other`)).kursquellen).toEqual([
      { ...OLD, kosten_eur: '0.129', anteil: '1' },
    ]);
    expect((await read(`${door}?${window}&agent=nobody`)).kursquellen).toEqual([]);
  }
  const { agenten } = await read('/v1/cockpit/agenten?zeitraum=2026-02-01..2026-11-21');
  const { agent_id } = agenten.find(({ schluessel }: { schluessel: string }) => schluessel === AGENT);
  const page = await read(`/v1/cockpit/agenten/${agent_id}?zeitraum=2026-02-01..2026-11-21`);
  expect(page.kursquellen).toMatchObject([
    { quelle: 'ezb', kosten_eur: eur.ezb },
    { quelle: 'ersatz', kosten_eur: '0.129' },
  ]);
});

test('so do days and runs', async () => {
  expect((await read('/v1/uebersicht/tag?datum=2026-02-25')).kursquellen).toEqual([
    { ...OLD, kosten_eur: '0.129', anteil: '1' },
  ]);
  expect((await read('/v1/uebersicht/tag?datum=2026-11-14')).kursquellen).toEqual([
    { quelle: 'ezb', kosten_eur: '0.105', anteil: '1', ersatzkurse: [] },
  ]);
  expect((await read('/v1/uebersicht/tag?datum=2026-11-15')).kursquellen).toEqual([]);
  const { lauf, ereignisse } = await read(`/v1/laeufe/${RUN}`);
  expect(lauf).toMatchObject({ kosten_eur: '0.454851851835', ersatz_eur: '0.258' });
  expect(ereignisse.map(({ ersatzkurs }: { ersatzkurs: boolean }) => ersatzkurs)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('a substitute that was replaced by another stays named with what rests on it', async () => {
  await send(call('2026-02-26T10:00:00Z'));
  await count('0.9', null);
  const { kursquellen } = await read('/v1/cockpit/uebersicht?zeitraum=2026-02-25..2026-03-05');
  expect(kursquellen).toEqual([
    {
      quelle: 'ersatz',
      kosten_eur: '0.393',
      anteil: '1',
      ersatzkurse: [
        { usd_eur: '0.86', tag: '2026-11-20' },
        { usd_eur: '0.9', tag: null },
      ],
    },
  ]);
});
