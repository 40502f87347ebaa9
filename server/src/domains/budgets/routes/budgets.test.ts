import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { addAgent, addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;

beforeAll(async () => {
  service = await startService();
  foreign = await registerAccount(service);
  service.clock.set('2026-11-15T11:00:00Z');
});
afterAll(() => service.stop());
beforeEach(async () => {
  ours = await registerAccount(service);
});

const get = async (query = '', cookie: string | null = ours.cookie) =>
  service.app.inject({ url: `/v1/cockpit/budgets${query}`, headers: cookie ? { cookie } : {} });
const setBudget = (table: string, key: string, amount: string, { mandantId } = ours) =>
  service.sql(`UPDATE ${table} SET budget_eur = $3 WHERE mandant_id = $1 AND schluessel = $2`, [
    mandantId,
    key,
    amount,
  ]);

async function fill(account = ours): Promise<void> {
  for (const key of ['a', 'b', 'ohne']) await addAgent(service, account.mandantId, key);
  await service.sql(`INSERT INTO projekte (mandant_id, schluessel, name) VALUES ($1, 'p', 'Büro')`, [
    account.mandantId,
  ]);
  await setBudget('agenten', 'a', '100.00', account);
  await setBudget('agenten', 'b', '0', account);
  await setBudget('projekte', 'p', '1000', account);
  const spent = (tag: string, hour: string, kosten_eur: string) => ({
    agent: 'a',
    projekt: 'p',
    tag,
    stunde: `${tag}T${hour}:00:00Z`,
    kosten_eur,
  });
  await addConsumption(service, account.mandantId, [
    spent('2026-10-31', '12', '1000'),
    spent('2026-11-01', '10', '49.9999999999999999999999999999999999'),
    spent('2026-11-09', '10', '0.0000000000000000000000000000000001'),
    spent('2026-11-15', '10', '2.88'),
  ]);
}

test('every budget with how it stands; agents, then projects', async () => {
  await fill();
  await fill(foreign);
  const answer = (await get()).json();
  expect(answer).toMatchObject({
    monat: '2026-11',
    von: '2026-11-01T00:00:00+01:00',
    bis: '2026-12-01T00:00:00+01:00',
    weiter: null,
  });
  expect(answer.budgets.map((row: { schluessel: string }) => row.schluessel)).toEqual(['a', 'b', 'p']);
  const [a, b, p] = answer.budgets;
  expect(a).toEqual({
    objekt_art: 'agent',
    objekt_id: expect.any(String),
    schluessel: 'a',
    name: 'a',
    budget_eur: '100',
    bei_erreichen: 'warnen',
    verbraucht_eur: '52.88',
    anteil_prozent: '52.88',
    // 15.5 days are left.
    prognose_eur: '97.52',
    tempo: [
      { fenster: '5m', kosten_eur: '0', tempo: '0' },
      { fenster: '30m', kosten_eur: '0', tempo: '0' },
      { fenster: '1h', kosten_eur: '2.88', tempo: '20.73' },
      { fenster: '6h', kosten_eur: '2.88', tempo: '3.45' },
      { fenster: '3d', kosten_eur: '2.88', tempo: '0.28' },
    ],
    schwellen: [
      { prozent: 50, erreicht_am: '2026-11-09' },
      { prozent: 80, erreicht_am: null },
      { prozent: 100, erreicht_am: null },
    ],
  });
  expect(b).toMatchObject({ budget_eur: '0', verbraucht_eur: '0', anteil_prozent: null });
  expect(p).toMatchObject({
    objekt_art: 'projekt',
    name: 'Büro',
    anteil_prozent: '5.28',
    schwellen: [{ erreicht_am: null }, {}, {}],
  });
});

test('the thresholds are those of the rules that hold for it', async () => {
  await fill();
  const rule = (payload: object) =>
    service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/regeln',
      headers: { cookie: ours.cookie },
      payload: { typ: 'budget_schwelle', ...payload },
    });
  await rule({ parameter: { stufen: [90, 10] } });
  await rule({ parameter: { stufen: [52, 10] }, geltungsbereich: 'agent', bezug_id: 'a' });
  await rule({ parameter: { stufen: [7] }, aktiv: false });
  const [a, b] = (await get()).json().budgets;
  expect(a.schwellen).toEqual([
    { prozent: 10, erreicht_am: '2026-11-01' },
    { prozent: 52, erreicht_am: '2026-11-15' },
    { prozent: 90, erreicht_am: null },
  ]);
  expect(b.schwellen.map(({ prozent }: { prozent: number }) => prozent)).toEqual([10, 90]);
});

test('page by page', async () => {
  await fill();
  const all = (await get()).json().budgets;
  const seen = [];
  let nach = '';
  for (let page = 0; page < 3; page += 1) {
    const { budgets, weiter } = (await get(`?limit=1${nach}`)).json();
    seen.push(...budgets);
    nach = `&nach=${weiter}`;
  }
  expect(seen).toEqual(all);
});

test('401 without a session; every role may read; 422 for a limit of 0', async () => {
  expect((await get('', null)).statusCode).toBe(401);
  expect(await statusByRole(service, ours, ({ cookie }) => get('', cookie))).toEqual(admitting(EVERYBODY));
  expect((await get('?limit=0')).statusCode).toBe(422);
});
