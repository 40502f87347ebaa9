/** Which budgets are found to be spent, by which rule. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readActiveRules } from '#domains/regeln/index.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { expectFigures } from '#test/figures.ts';
import { ownerOf } from '#test/jobs.ts';
import { addAgent, addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { type Asked, findBudgetBreaches } from './breaches.ts';
import { keepBudgets, readBudgets } from './budgets.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let ours: Account;

beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});
beforeEach(async () => {
  ours = await registerAccount(service);
});

/** Noon in Berlin. */
const NOW = new Date('2026-11-15T11:00:00Z');

const rule = async (payload: object, account = ours) => {
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/regeln',
    headers: { cookie: account.cookie },
    payload,
  });
  expect(answer.statusCode, answer.body).toBe(201);
};

async function budget(
  art: 'agent' | 'projekt',
  key: string,
  amount: string,
  account = ours,
  beiErreichen: string | null = null,
): Promise<void> {
  if (art === 'agent') await addAgent(service, account.mandantId, key);
  else
    await service.sql('INSERT INTO projekte (mandant_id, schluessel, name) VALUES ($1, $2, $2)', [
      account.mandantId,
      key,
    ]);
  const table = art === 'agent' ? 'agenten' : 'projekte';
  await service.sql(
    `UPDATE ${table} SET budget_eur = $3, budget_bei_erreichen = $4 WHERE mandant_id = $1 AND schluessel = $2`,
    [account.mandantId, key, amount, beiErreichen],
  );
}

const spent = (agent: string, kosten_eur: string, stunde = '2026-11-10T10:00:00Z', projekt = 'standard') => ({
  agent,
  projekt,
  kosten_eur,
  kosten_usd: kosten_eur,
  stunde,
  tag: stunde.slice(0, 10),
});

async function find(changed?: Asked['changed'], now = NOW, accounts = [ours]) {
  const ids = accounts.map(({ mandantId }) => mandantId);
  for (const [mandant, own] of await owner.transaction((client) => readBudgets(client, ids)))
    await keepBudgets(owner, mandant, own);
  return owner.transaction(async (client) => {
    const rules = await readActiveRules(client, ids);
    const budgets = await readBudgets(client, ids);
    const asked = ids.map((mandant) => ({
      mandant,
      budgets: budgets.get(mandant) ?? [],
      rules: rules.get(mandant) ?? [],
      ...(changed ? { changed } : {}),
    }));
    return findBudgetBreaches(client, asked, now);
  });
}
async function found(changed?: Asked['changed'], now = NOW) {
  const all = (await find(changed, now)).flatMap(({ candidates }) => candidates);
  for (const { regel, werte } of all) expectFigures(regel?.typ ?? 'budget_schwelle', werte);
  return all;
}

describe('thresholds', () => {
  test('each that is reached, once a month; only the highest does what the rule does', async () => {
    await rule({ typ: 'budget_schwelle', stufe: 'sperren' });
    await budget('agent', 'a', '10');
    await addConsumption(service, ours.mandantId, [spent('a', '10')]);
    const candidates = await found();
    expect(candidates.map(({ teil, hoechstens, bis }) => [teil, hoechstens, bis])).toEqual([
      ['100', undefined, '2026-11-30T23:00:00.000Z'],
      ['80', 'warnen', undefined],
      ['50', 'warnen', undefined],
    ]);
    expect(candidates[0]).toMatchObject({
      objektArt: 'agent',
      objekt: 'a',
      agent: 'a',
      lauf: null,
      fensterBeginn: '2026-10-31T23:00:00.000Z',
      kostenEur: '10',
      werte: {
        monat: '2026-11',
        budget_eur: '10',
        verbraucht_eur: '10',
        anteil_prozent: '100',
        schwelle_prozent: 100,
      },
    });
    expect(await found(undefined, new Date('2026-11-30T22:59:59Z'))).toHaveLength(3);
    expect(await found(undefined, new Date('2026-11-30T23:00:00Z'))).toEqual([]);
  });

  test('not by the last part of a cent before', async () => {
    await rule({ typ: 'budget_schwelle', parameter: { stufen: [80] } });
    await budget('agent', 'a', '10');
    await budget('agent', 'b', '10');
    await addConsumption(service, ours.mandantId, [
      spent('a', '7.9999999999999999999999999999999999'),
      spent('b', '8'),
    ]);
    expect((await found()).map(({ objekt }) => objekt)).toEqual(['b']);
  });

  test('a rule holds for every budget, for one agent or for one project', async () => {
    await budget('agent', 'a', '1');
    await budget('agent', 'b', '1');
    await budget('projekt', 'p', '1');
    await addConsumption(service, ours.mandantId, [
      spent('a', '1', undefined, 'p'),
      spent('b', '1', '2026-11-11T10:00:00Z'),
    ]);
    const stufen = { parameter: { stufen: [100] } };
    await rule({ typ: 'budget_schwelle', ...stufen, name: 'alle' });
    await rule({ typ: 'budget_schwelle', ...stufen, name: 'einer', geltungsbereich: 'agent', bezug_id: 'b' });
    await rule({
      typ: 'budget_schwelle',
      ...stufen,
      name: 'projekt',
      geltungsbereich: 'projekt',
      bezug_id: 'p',
    });
    await rule({ typ: 'budget_schwelle', ...stufen, name: 'aus', aktiv: false });
    const who = ({ regel, objektArt, objekt }: Awaited<ReturnType<typeof found>>[number]) =>
      `${regel?.name} ${objektArt} ${objekt}`;
    expect((await found()).map(who).sort()).toEqual([
      'alle agent a',
      'alle agent b',
      'alle projekt p',
      'einer agent b',
      'projekt projekt p',
    ]);
    expect((await found()).find(({ objektArt }) => objektArt === 'projekt')?.agent).toBeNull();
    expect((await found({ agent: new Set(['b']) })).map(who).sort()).toEqual([
      'alle agent b',
      'einer agent b',
    ]);
    expect(await found({ agent: new Set(['c']), projekt: new Set() })).toEqual([]);
  });

  test('several Mandanten, each by its own rules, budgets and zone', async () => {
    const other = await registerAccount(service);
    await service.sql(`UPDATE mandanten SET zeitzone = 'Pacific/Auckland' WHERE mandant_id = $1`, [
      other.mandantId,
    ]);
    for (const account of [ours, other]) {
      await rule({ typ: 'budget_schwelle', parameter: { stufen: [100] } }, account);
      await budget('agent', 'a', '1', account);
      await addConsumption(service, account.mandantId, [spent('a', '2')]);
    }
    const both = await find(undefined, NOW, [ours, other]);
    expect(
      both.map(({ mandant, candidates }) => [mandant, candidates.map((one) => one.fensterBeginn)]),
    ).toEqual([
      [ours.mandantId, ['2026-10-31T23:00:00.000Z']],
      [other.mandantId, ['2026-10-31T11:00:00.000Z']],
    ]);
  });
});

describe('a budget that acts by itself', () => {
  const own = (candidates: Awaited<ReturnType<typeof found>>) =>
    candidates.map(({ regel, budgetStufe, objekt, teil }) => [objekt, teil, regel?.stufe ?? budgetStufe]);

  test('does so without any rule, to the end of the month, and not before it is spent', async () => {
    await budget('agent', 'a', '10', ours, 'sperren');
    await budget('projekt', 'p', '20', ours, 'drosseln');
    await budget('agent', 'warnt', '1');
    await addConsumption(service, ours.mandantId, [
      spent('a', '9.99', undefined, 'p'),
      spent('warnt', '5', undefined, 'q'),
    ]);
    expect(await found()).toEqual([]);
    await addConsumption(service, ours.mandantId, [spent('a', '10.01', '2026-11-11T10:00:00Z', 'p')]);
    const candidates = await found();
    expect(own(candidates)).toEqual([
      ['a', '100', 'sperren'],
      ['p', '100', 'drosseln'],
    ]);
    expect(candidates[0]).toMatchObject({
      regel: null,
      agent: 'a',
      bis: '2026-11-30T23:00:00.000Z',
      werte: { schwelle_prozent: 100, anteil_prozent: '200' },
    });
    expect(own(await found({ projekt: new Set(['p']) }))).toEqual([['p', '100', 'drosseln']]);
  });

  test.each([
    [
      'warnen',
      {},
      [
        ['100', 'drosseln'],
        ['80', 'warnen'],
        ['50', 'warnen'],
      ],
    ],
    [
      'drosseln',
      {},
      [
        ['100', 'drosseln'],
        ['80', 'drosseln'],
        ['50', 'drosseln'],
      ],
    ],
    [
      'sperren',
      {},
      [
        ['100', 'sperren'],
        ['80', 'sperren'],
        ['50', 'sperren'],
      ],
    ],
    [
      'sperren',
      { schattenbetrieb: true },
      [
        ['100', 'drosseln'],
        ['100', 'sperren'],
        ['80', 'sperren'],
        ['50', 'sperren'],
      ],
    ],
  ])('tells once of being spent: beside a rule that would %s %o', async (stufe, change, expected) => {
    await rule({ typ: 'budget_schwelle', stufe, schattenbetrieb: false, ...change });
    await budget('agent', 'a', '10', ours, 'drosseln');
    await addConsumption(service, ours.mandantId, [spent('a', '10')]);
    expect(own(await found()).map(([, teil, level]) => [teil, level])).toEqual(expected);
  });
});

test('too fast: over both windows of a pair, one finding for the month', async () => {
  await rule({ typ: 'budget_tempo' });
  await budget('agent', 'a', '720');
  await addConsumption(service, ours.mandantId, [
    spent('a', '40', '2026-11-15T06:00:00Z'),
    spent('a', '3', '2026-11-15T10:00:00Z'),
  ]);
  expect(await found(undefined, new Date('2026-11-15T10:29:00Z'))).toMatchObject([
    {
      fensterBeginn: '2026-10-31T23:00:00.000Z',
      werte: { fenster_lang: '6h', fenster_kurz: '30m', tempo: '7.16', tempo_kurz: '6' },
    },
  ]);
  expect(await found(undefined, new Date('2026-11-15T10:31:00Z'))).toEqual([]);
});

test('the forecast', async () => {
  await rule({ typ: 'budget_prognose' });
  await budget('agent', 'a', '100');
  await addConsumption(service, ours.mandantId, [
    spent('a', '20'),
    spent('a', '5.2', '2026-11-15T09:00:00Z'),
  ]);
  // 15 days and 12 hours are left.
  expect(await found()).toMatchObject([{ werte: { verbraucht_eur: '25.2', prognose_eur: '105.8' } }]);
  await service.sql('UPDATE agenten SET budget_eur = 105.8 WHERE mandant_id = $1', [ours.mandantId]);
  expect(await found()).toEqual([]);
});

test('no statement for who has no budget, or no rule', async () => {
  await addConsumption(service, ours.mandantId, [spent('a', '20')]);
  const texts: string[] = [];
  const watch = (client: { query: (...args: never[]) => unknown }) =>
    new Proxy(client, {
      get: (target, name) =>
        name === 'query'
          ? (config: { text?: string } | string, ...rest: unknown[]) => {
              texts.push(typeof config === 'string' ? config : (config.text ?? ''));
              return (target.query as (...args: unknown[]) => unknown)(config, ...rest);
            }
          : Reflect.get(target, name),
    });
  const ask = async () => {
    texts.length = 0;
    await owner.transaction(async (client) => {
      const mandant = ours.mandantId;
      const rules = (await readActiveRules(client, [mandant])).get(mandant) ?? [];
      const budgets = (await readBudgets(client, [mandant])).get(mandant) ?? [];
      await findBudgetBreaches(watch(client as never) as never, [{ mandant, budgets, rules }], NOW);
    });
    return texts.length;
  };
  expect(await ask()).toBe(0);
  await rule({ typ: 'budget_schwelle' });
  expect(await ask()).toBe(0);
  await budget('agent', 'a', '100');
  // Zone, the month of the agents.
  expect(await ask()).toBe(2);
});
