/** The budgets of agents and of projects are set alike. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EDITORS, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;
let foreign: Account;

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
  foreign = await registerAccount(service);
});
afterAll(() => service.stop());

describe.each([
  ['agent', 'agenten', 'projekt', `'standard'`],
  ['projekt', 'projekte', 'name', `'x'`],
])('of an %s', (art, table, column, value) => {
  let id: string;
  beforeEach(async () => {
    const columns = column === 'name' ? '' : `, ${column}`;
    const values = column === 'name' ? '' : `, ${value}`;
    const [row] = await service.sql<{ id: string }>(
      `INSERT INTO ${table} (mandant_id, schluessel, name${columns}) VALUES ($1, $2, 'x'${values}) RETURNING ${art}_id AS id`,
      [ours.mandantId, randomUUID()],
    );
    id = row?.id as string;
  });

  const put = (payload: object, cookie: string | null = ours.cookie, of = id) =>
    service.app.inject({
      method: 'PUT',
      url: `/v1/cockpit/${table}/${of}/budget`,
      headers: cookie ? { cookie } : {},
      payload,
    });
  const stored = async () =>
    (
      await service.sql<{ budget: string | null }>(
        `SELECT budget_eur::text AS budget FROM ${table} WHERE ${art}_id = $1`,
        [id],
      )
    )[0]?.budget;

  test('is set exactly and removed, each with an entry in the audit log', async () => {
    for (const [betrag_eur, kept] of [
      ['250.50', '250.5'],
      [0.1, '0.1'],
      [0, '0'],
      ['1e9', '1000000000'],
      ['1e9', '1000000000'],
      [null, null],
    ]) {
      const answer = await put({ betrag_eur });
      expect(answer.statusCode, answer.body).toBe(200);
      expect(answer.json()).toMatchObject({ [`${art}_id`]: id, budget_eur: kept });
      expect(await stored()).toBe(kept);
    }
    const entries = await service.sql(
      `SELECT vorher, nachher FROM pruefprotokoll WHERE objekt_id = $1 AND aktion = $2 ORDER BY eintrag_id`,
      [id, `budget.${art}_gesetzt`],
    );
    expect(entries).toHaveLength(5);
    expect(entries.at(-1)).toEqual({ vorher: { budget_eur: '1000000000' }, nachher: { budget_eur: null } });
  });

  test('what it does once it is spent is kept until it is said anew, or the budget goes', async () => {
    const level = async (payload: object) => (await put(payload)).json().budget_bei_erreichen;
    expect(await level({ betrag_eur: 5 })).toBe('warnen');
    expect(await level({ betrag_eur: 5, bei_erreichen: 'sperren' })).toBe('sperren');
    expect(await level({ betrag_eur: 6 })).toBe('sperren');
    expect(await level({ betrag_eur: null })).toBeNull();
    expect(await level({ betrag_eur: 6 })).toBe('warnen');
  });

  test('nothing said is no budget', async () => {
    await put({ betrag_eur: 5 });
    expect((await put({})).json()).toMatchObject({ budget_eur: null });
  });

  test('401 without a session, 403 for those who do not edit', async () => {
    expect((await put({ betrag_eur: 1 }, null)).statusCode).toBe(401);
    const statuses = await statusByRole(service, ours, ({ cookie }) => put({ betrag_eur: 1 }, cookie));
    expect(statuses).toEqual(admitting(EDITORS));
  });

  test('404 alike for what is foreign and what is unknown', async () => {
    const answers = [
      await put({ betrag_eur: 1 }, foreign.cookie),
      await put({ betrag_eur: 1 }, foreign.cookie, randomUUID()),
    ];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404]);
    expect(answers[0]?.json()).toEqual(answers[1]?.json());
    expect(await stored()).toBeNull();
  });

  test.each([
    ['-0.01', 'greater_than_equal'],
    ['1000000000.01', 'less_than_equal'],
    ['viel', 'decimal_parsing'],
    [true, 'decimal_type'],
    [`1.${'1'.repeat(35)}`, 'value_error'],
  ])('422 for %j', async (betrag_eur, type) => {
    const answer = await put({ betrag_eur });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail).toEqual([expect.objectContaining({ loc: ['body', 'betrag_eur'], type })]);
  });
});
