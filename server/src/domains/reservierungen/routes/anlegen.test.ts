import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { befundeListe, ResponseOf, reservierungenAnlegen } from '#contracts';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Eur, eurFrom, eurText } from '#kernel/money.ts';
import { createApi } from '#main/api.ts';
import { type Account, createKey, type Key, registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { ausgeschoepftMeldenJob } from '../jobs/ausgeschoepft-melden.ts';
import { readScopes } from '../scopes.ts';

type Answer = ResponseOf<typeof reservierungenAnlegen>;
type Reservierung = Answer['reservierungen'][number];

/** Of gpt-4o-mini, 0.15 and 0.6 USD a million tokens, at 0.86 EUR, with 2 % for another rate. */
const HIGHEST = '0.00039474';
const CALL = {
  agent: 'support/triage',
  anbieter: 'openai',
  modell: 'gpt-4o-mini',
  eingabe_token: 1_000,
  ausgabe_token: 500,
};
const times = (amount: string, count: number) => eurText((eurFrom(amount) * BigInt(count)) as Eur);

let service: TestService;
/** As another process would, this one knows nothing of what the first has in memory. */
let second: FastifyInstance;
let db: ReturnType<typeof ownerOf>;
let account: Account;
let key: Key;
beforeAll(async () => {
  service = await startService();
  db = ownerOf(service);
  second = await createApi(service.context, service.operators);
});
afterAll(async () => {
  await second?.close();
  await db?.close();
  await service?.stop();
});
beforeEach(async () => {
  service.clock.set('2026-11-20T10:00:00.000Z');
  account = await registerAccount(service);
  key = await createKey(service, account, ['Senden']);
});

const post = (payload: object, secret = key.secret, app = service.app) =>
  app.inject({
    method: 'POST',
    url: '/v1/reservierungen',
    headers: { authorization: `Bearer ${secret}` },
    payload,
  });
async function reserve(payload: object, app = service.app): Promise<Reservierung[]> {
  const answer = await post(payload, key.secret, app);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<Answer>().reservierungen;
}
async function reserveOne(more: object = {}): Promise<Reservierung> {
  const [only] = await reserve({ aufrufe: [{ ...CALL, ...more }] });
  return only as Reservierung;
}

async function rule(more: object): Promise<string> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/regeln',
    headers: { cookie: account.cookie },
    payload: { stufe: 'anhalten', schattenbetrieb: false, ...more },
  });
  expect(answer.statusCode, answer.body).toBe(201);
  return answer.json().regel_id;
}
const dailyLimit = (schwelle: string, more: object = {}) =>
  rule({ typ: 'kosten_grenze', schwelle, zeitfenster: 'tag', ...more });
const changeRule = (id: string, payload: object) =>
  service.app.inject({
    method: 'PUT',
    url: `/v1/cockpit/regeln/${id}`,
    headers: { cookie: account.cookie },
    payload,
  });

async function send(...ereignisse: object[]): Promise<void> {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${key.secret}` },
    payload: {
      ereignisse: ereignisse.map((each) => ({
        ...CALL,
        zeitpunkt: service.clock.now().toISOString(),
        ...each,
      })),
    },
  });
  expect(answer.statusCode, answer.body).toBe(202);
}
const count = () =>
  createCountingWorker({
    db,
    log: service.context.log,
    prices: createPriceList(),
    substituteRate: '0.86',
  }).drain();

const reservedNow = async () => {
  const [row] = await service.sql<{ summe: string }>(
    'SELECT coalesce(sum(betrag_eur), 0)::text AS summe FROM reservierungen WHERE mandant_id = $1',
    [account.mandantId],
  );
  return eurText(eurFrom(row?.summe ?? '0'));
};

describe('the door', () => {
  test('is for keys that send', async () => {
    expect((await post({}, 'zw_live_nobody')).statusCode).toBe(401);
    const reader = await createKey(service, account, ['Lesen']);
    expect((await post({}, reader.secret)).statusCode).toBe(403);
    expect((await post({})).json()).toEqual({ reservierungen: [] });
  });

  test.each([
    ['too many calls', { aufrufe: Array(101).fill(CALL) }, ['body', 'aufrufe']],
    ['no stock', { aufrufe: [{ ...CALL, vorrat: 0 }] }, ['body', 'aufrufe', 0, 'vorrat']],
    [
      'less than nothing',
      { aufrufe: [{ ...CALL, eingabe_token: -1 }] },
      ['body', 'aufrufe', 0, 'eingabe_token'],
    ],
    [
      'a block without a name',
      { zurueck: [{ reservierung_id: 'x', betrag_eur: '1' }] },
      ['body', 'zurueck', 0, 'reservierung_id'],
    ],
    ['more than an hour', { dauer_s: 3_601 }, ['body', 'dauer_s']],
  ])('422 for %s', async (_, payload, loc) => {
    const answer = await post(payload);
    expect([answer.statusCode, answer.json().detail[0].loc]).toEqual([422, loc]);
  });

  test('without a hard limit nothing is reserved', async () => {
    await dailyLimit('0', { stufe: 'warnen' });
    await dailyLimit('0', { schattenbetrieb: true });
    expect(await reserveOne()).toMatchObject({
      gewaehrt: true,
      reservierung_id: null,
      betrag_eur: null,
      hoechstkosten_eur: HIGHEST,
      grenze: null,
    });
    expect(await reservedNow()).toBe('0');
  });
});

describe('a limit of a number of calls', () => {
  test('lets that number of a hundred that ask two processes at once, and names itself to the others', async () => {
    const id = await dailyLimit(times(HIGHEST, 37), { name: 'Tageslimit' });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) => reserve({ aufrufe: [CALL] }, n % 2 === 0 ? service.app : second)),
    );
    const all = answers.flat();
    expect(all.filter(({ gewaehrt }) => gewaehrt)).toHaveLength(37);
    expect(await reservedNow()).toBe(times(HIGHEST, 37));
    expect(all.find(({ gewaehrt }) => !gewaehrt)).toEqual({
      gewaehrt: false,
      reservierung_id: null,
      betrag_eur: null,
      hoechstkosten_eur: HIGHEST,
      saetze: expect.objectContaining({ aufruf_eur: '0', bis_eingabe_token: null }),
      verfaellt_am: null,
      grenze: {
        art: 'regel',
        regel_id: id,
        name: 'Tageslimit',
        objekt_art: 'mandant',
        objekt: '',
        grenze_eur: times(HIGHEST, 37),
        verbraucht_eur: '0',
        reserviert_eur: times(HIGHEST, 37),
        bis: '2026-11-20T23:00:00Z',
      },
    });
  });

  test('goes on once it is raised, lowered it grants nothing more', async () => {
    const id = await dailyLimit(times(HIGHEST, 1));
    expect(await reserveOne()).toMatchObject({ gewaehrt: true });
    expect(await reserveOne()).toMatchObject({ gewaehrt: false });
    expect((await changeRule(id, { schwelle: times(HIGHEST, 2) })).statusCode).toBe(200);
    expect(await reserveOne()).toMatchObject({ gewaehrt: true });
    expect((await changeRule(id, { schwelle: '0' })).statusCode).toBe(200);
    expect(await reserveOne()).toMatchObject({ gewaehrt: false });
    expect((await changeRule(id, { schattenbetrieb: true })).statusCode).toBe(200);
    expect(await reserveOne()).toMatchObject({ gewaehrt: true, reservierung_id: null });
  });

  test('is about what the rule says: agent, project, end customer, function, model', async () => {
    const [agent] = [CALL.agent];
    await send({});
    await count();
    const [row] = await service.sql<{ agent_id: string }>(
      'SELECT agent_id FROM agenten WHERE mandant_id = $1 AND schluessel = $2',
      [account.mandantId, agent],
    );
    await dailyLimit('0', { geltungsbereich: 'agent', bezug_id: row?.agent_id });
    await dailyLimit('0', { geltungsbereich: 'funktion', bezug_id: 'suche' });
    await dailyLimit('0', { geltungsbereich: 'modell', bezug_id: 'gpt-4o' });
    const asked = await reserve({
      aufrufe: [
        CALL,
        { ...CALL, agent: 'other' },
        { ...CALL, agent: 'other', funktion_ref: 'suche' },
        { ...CALL, agent: 'other', modell: 'gpt-4o' },
      ],
    });
    expect(asked.map(({ gewaehrt, grenze }) => [gewaehrt, grenze?.objekt_art, grenze?.objekt])).toEqual([
      [false, 'agent', agent],
      [true, undefined, undefined],
      [false, 'funktion', 'suche'],
      [false, 'modell', 'gpt-4o'],
    ]);
  });
});

test('what is reserved becomes what is spent: the part of a call goes with its count, not before', async () => {
  await dailyLimit('1');
  const { reservierung_id, betrag_eur } = await reserveOne();
  expect(betrag_eur).toBe(HIGHEST);
  const zusatz = { reservierung: reservierung_id, reserviert_eur: betrag_eur };
  // The same call twice: what is sent again takes off nothing more.
  const ereignis_id = randomUUID();
  const another = await reserveOne();
  await send({ ereignis_id, ausgabe_token: 10, zusatz });
  expect(await reservedNow()).toBe(times(HIGHEST, 2));
  await count();
  expect(await reservedNow()).toBe(HIGHEST);
  await send({
    ereignis_id,
    ausgabe_token: 10,
    zusatz: { ...zusatz, reservierung: another.reservierung_id },
  });
  await count();
  expect(await reservedNow()).toBe(HIGHEST);
  await send(
    { zusatz: { reservierung: randomUUID(), reserviert_eur: '1' } },
    { zusatz: { reservierung: 7, reserviert_eur: '-1' } },
  );
  await count();
  expect(await reservedNow()).toBe(HIGHEST);
});

test('a window of minutes and one of the month count what was counted', async () => {
  // Sums by the minute are kept of the last days only.
  const now = Date.now();
  service.clock.set(new Date(now).toISOString());
  account = await registerAccount(service);
  key = await createKey(service, account, ['Senden']);
  await dailyLimit('0.0005', { zeitfenster: '15m' });
  await dailyLimit('1', { zeitfenster: 'monat' });
  await send({});
  await count();
  expect(await reserveOne()).toMatchObject({
    gewaehrt: false,
    grenze: { verbraucht_eur: '0.000387', grenze_eur: '0.0005', bis: null },
  });
  service.clock.set(new Date(now + 17 * 60_000).toISOString());
  expect(await reserveOne()).toMatchObject({ gewaehrt: true });
});

test('a run has a limit of its own', async () => {
  await rule({ typ: 'lauf_deckel', einheit: 'eur', schwelle: times(HIGHEST, 2) });
  const [one, other] = [randomUUID(), randomUUID()];
  await send({ lauf_id: one });
  await count();
  const asked = await reserve({
    aufrufe: [one, one, other, other, other].map((lauf_id) => ({ ...CALL, lauf_id })),
  });
  expect(asked.map(({ gewaehrt }) => gewaehrt)).toEqual([true, false, true, true, false]);
  expect(asked[1]?.grenze).toMatchObject({ objekt_art: 'lauf', objekt: one, verbraucht_eur: '0.000387' });
  expect(await reserveOne()).toMatchObject({ gewaehrt: true, reservierung_id: null });
});

test('a limit of each agent by itself holds for each of them, not for all together', async () => {
  await dailyLimit(times(HIGHEST, 2), { parameter: { je: 'agent' } });
  const agents = ['a', 'a', 'a', 'b', 'b'];
  const asked = await reserve({ aufrufe: agents.map((agent) => ({ ...CALL, agent })) });
  expect(asked.map(({ gewaehrt }) => gewaehrt)).toEqual([true, true, false, true, true]);
  expect(asked[2]?.grenze).toMatchObject({ objekt_art: 'agent', objekt: 'a' });
});

test('a budget that a rule stops at is a limit of the month', async () => {
  await send({});
  await count();
  await rule({ typ: 'budget_schwelle', parameter: { stufen: [50, 100] } });
  await service.sql('UPDATE agenten SET budget_eur = $2 WHERE mandant_id = $1', [account.mandantId, '0.001']);
  expect(await reserveOne()).toMatchObject({ gewaehrt: true });
  expect(await reserveOne()).toMatchObject({
    gewaehrt: false,
    grenze: {
      art: 'budget',
      objekt_art: 'agent',
      objekt: CALL.agent,
      grenze_eur: '0.001',
      bis: '2026-11-30T23:00:00Z',
    },
  });
});

test('what is not booked lapses; what is given back is free at once, of others nothing', async () => {
  await dailyLimit(times(HIGHEST, 2));
  const first = await reserveOne();
  const [second] = await reserve({ aufrufe: [CALL], dauer_s: 60 });
  expect(await reserveOne()).toMatchObject({ gewaehrt: false });
  const mine = key;
  const foreign = await registerAccount(service);
  key = await createKey(service, foreign, ['Senden']);
  await reserve({ zurueck: [{ reservierung_id: first.reservierung_id, betrag_eur: '1' }] });
  key = mine;
  expect(await reserveOne()).toMatchObject({ gewaehrt: false });
  const [again] = await reserve({
    zurueck: [{ reservierung_id: first.reservierung_id, betrag_eur: HIGHEST }],
    aufrufe: [CALL],
  });
  expect(again).toMatchObject({ gewaehrt: true });
  expect(second?.verfaellt_am).toBe('2026-11-20T10:01:00.000Z');
  expect(await reserveOne()).toMatchObject({ gewaehrt: false });
  service.clock.set('2026-11-20T10:01:00.000Z');
  expect(await reserveOne()).toMatchObject({ gewaehrt: true });
});

test('a block is for as many calls as are wanted, an eighth of the room at most, one call where that is more', async () => {
  await dailyLimit(times(HIGHEST, 80));
  expect((await reserveOne({ vorrat: 5 })).betrag_eur).toBe(times(HIGHEST, 5));
  expect(eurFrom((await reserveOne({ vorrat: 1_000 })).betrag_eur ?? '')).toBe(
    eurFrom(times(HIGHEST, 75)) / 8n,
  );
  await dailyLimit(times(HIGHEST, 17));
  expect((await reserveOne({ vorrat: 1_000 })).betrag_eur).toBe(HIGHEST);
});

test('what nothing bounds is granted while there is any room', async () => {
  const id = await dailyLimit('0.0001');
  const unknown = { modell: 'nobody/knows', anbieter: 'acme' };
  expect(await reserveOne(unknown)).toMatchObject({
    gewaehrt: true,
    reservierung_id: null,
    hoechstkosten_eur: null,
  });
  expect(await reserveOne({ begrenzt: false })).toMatchObject({ gewaehrt: true, hoechstkosten_eur: null });
  expect(await reserveOne({ ausgabe_token: null })).toMatchObject({
    gewaehrt: false,
    saetze: { hoechste_ausgabe_token: 16_384 },
  });
  await changeRule(id, { schwelle: '0' });
  expect(await reserveOne(unknown)).toMatchObject({ gewaehrt: false });
});

describe('that a limit is used up', () => {
  const meld = async () => {
    const owner = ownerOf(service);
    const jobs = await service.sql<{ nutzlast: never }>(
      `DELETE FROM auftraege WHERE mandant_id = $1 AND job = 'reservierungen.ausgeschoepft_melden' RETURNING nutzlast`,
      [account.mandantId],
    );
    const { run } = ausgeschoepftMeldenJob({ owner, clock: service.clock });
    for (const { nutzlast } of jobs)
      await run({
        mandant_id: account.mandantId,
        auftrag_id: randomUUID(),
        fassung: 1,
        nutzlast,
        versuche: 1,
        fehler: null,
      });
    await owner.close();
    return jobs.length;
  };
  const findings = async () => {
    const answer = await service.app.inject({
      url: '/v1/cockpit/befunde',
      headers: { cookie: account.cookie },
    });
    return answer.json<ResponseOf<typeof befundeListe>>().befunde;
  };

  test('is one finding and one alarm; raised and used up again it is another', async () => {
    const id = await dailyLimit('0.0005', { name: 'Tageslimit' });
    await send({});
    await count();
    const refused = await reserve({ aufrufe: [CALL, CALL] });
    expect(refused.map(({ gewaehrt }) => gewaehrt)).toEqual([false, false]);
    expect(await meld()).toBe(1);
    expect(await reserveOne()).toMatchObject({ gewaehrt: false });
    expect(await meld()).toBe(0);
    const [finding] = await findings();
    expect(finding).toMatchObject({
      typ: 'grenze_ausgeschoepft',
      objekt_art: 'mandant',
      stufe: 'warnen',
      kosten_eur: '0.000387',
      text: expect.stringMatching(
        /^Das Konto schöpft die Grenze „Tageslimit“ von .* aus; Aufrufe, die mehr als .* kosten können, werden abgelehnt/,
      ),
      werte: { grenze_eur: '0.0005', ausgegeben_eur: '0.000387', rest_eur: '0.000113' },
    });
    expect(finding?.alarm_am).not.toBeNull();
    await changeRule(id, { schwelle: '0.0006' });
    expect(await reserveOne()).toMatchObject({ gewaehrt: false });
    expect(await meld()).toBe(1);
    expect((await findings()).map(({ werte }) => (werte as { grenze_eur: string }).grenze_eur)).toEqual([
      '0.0006',
      '0.0005',
    ]);
  });

  test('of a run is about the run and its agent', async () => {
    await rule({ typ: 'lauf_deckel', einheit: 'eur', schwelle: '0' });
    const lauf_id = randomUUID();
    expect(await reserveOne({ lauf_id })).toMatchObject({ gewaehrt: false });
    await meld();
    expect(await findings()).toMatchObject([
      { objekt_art: 'lauf', objekt: lauf_id, lauf_id, agent: CALL.agent },
    ]);
  });

  test('is not told where only what others have reserved is in the way', async () => {
    await dailyLimit(HIGHEST);
    await reserveOne();
    expect(await reserveOne()).toMatchObject({ gewaehrt: false });
    expect(await meld()).toBe(0);
  });
});

test('of too many limits clients hear one of each kind', async () => {
  const scopes = () => service.context.db.forMandant(mandantId(account.mandantId), readScopes);
  await dailyLimit('1', { geltungsbereich: 'funktion', bezug_id: 'f', parameter: { je: 'bereich' } });
  await service.sql(
    `INSERT INTO budgets (mandant_id, objekt_art, objekt, budget_eur, bei_erreichen)
     SELECT $1, 'endkunde', 'kunde-' || n, 1, 'sperren' FROM generate_series(1, 1001) n`,
    [account.mandantId],
  );
  const told = await scopes();
  expect(told.map(({ objekt_art, je_agent, je_lauf }) => [objekt_art, je_agent, je_lauf])).toEqual([
    ['mandant', true, false],
    ['mandant', false, true],
    ['funktion', false, false],
    ['endkunde', false, false],
  ]);
});

test('who asks what is in force hears which calls have hard limits, and at once when that changes', async () => {
  const ask = (headers = {}) =>
    service.app.inject({
      url: '/v1/eingriffe/aktiv',
      headers: { authorization: `Bearer ${key.secret}`, ...headers },
    });
  const before = await ask();
  expect(before.json().harte_grenzen).toEqual([]);
  await rule({ typ: 'lauf_deckel', einheit: 'eur', schwelle: '1' });
  await dailyLimit('1', { geltungsbereich: 'funktion', bezug_id: 'suche' });
  await expect
    .poll(async () => (await ask({ 'if-none-match': String(before.headers.etag) })).statusCode, {
      timeout: 30_000,
    })
    .toBe(200);
  await expect
    .poll(async () => (await ask()).json().harte_grenzen, { timeout: 30_000 })
    .toEqual([
      { objekt_art: 'funktion', objekt: 'suche', je_agent: false, je_lauf: false },
      { objekt_art: 'mandant', objekt: '', je_agent: false, je_lauf: true },
    ]);
});
