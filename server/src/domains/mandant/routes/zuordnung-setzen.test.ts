import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { ADMINISTRATORS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

let service: TestService;
let account: Account;
let other: Account;
beforeAll(async () => {
  service = await startService();
  account = await registerAccount(service);
  other = await registerAccount(service);
});
afterAll(() => service.stop());

const NONE = {
  endkunde_namen: [],
  funktion_namen: [],
  projekt_namen: [],
  merkmale: [],
  abo_weiterbelasten: false,
};

const set = (payload: object, headers: Record<string, string> = { cookie: account.cookie }) =>
  service.app.inject({ method: 'PUT', url: '/v1/cockpit/mandant/zuordnung', headers, payload });

const stands = async ({ cookie }: Account) =>
  (await service.app.inject({ url: '/v1/cockpit/konto', headers: { cookie } })).json().mandant;

describe('PUT /v1/cockpit/mandant/zuordnung', () => {
  it('sets names, for this Mandant alone; changes are in the audit log', async () => {
    expect(await stands(account)).toMatchObject(NONE);
    const wish = {
      ...NONE,
      endkunde_namen: ['kundennummer', 'kunde', 'kundennummer'],
      abo_weiterbelasten: true,
    };
    const answer = await set(wish);
    expect(answer.statusCode, answer.body).toBe(200);
    const kept = { ...wish, endkunde_namen: ['kundennummer', 'kunde'] };
    expect(answer.json()).toEqual(kept);
    expect([await stands(account), await stands(other)]).toMatchObject([kept, NONE]);
    expect((await set(wish)).statusCode).toBe(200);
    const entries = await service.sql(
      `SELECT vorher, nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'zuordnung.geaendert'`,
      [account.mandantId],
    );
    expect(entries).toEqual([
      {
        vorher: { endkunde_namen: [], abo_weiterbelasten: false },
        nachher: { endkunde_namen: ['kundennummer', 'kunde'], abo_weiterbelasten: true },
      },
    ]);
  });

  it('leaves own dimensions where they are left out', async () => {
    expect((await set({ ...NONE, merkmale: ['team', '', 'stufe'] })).statusCode).toBe(200);
    const { merkmale: _, ...others } = NONE;
    expect((await set(others)).json()).toMatchObject({ merkmale: ['team', '', 'stufe'] });
    expect(await stands(account)).toMatchObject({ merkmale: ['team', '', 'stufe'] });
    expect((await set(NONE)).json()).toMatchObject({ merkmale: [] });
  });

  it.each([
    ['endkunde_namen', null],
    ['endkunde_namen', ['']],
    ['funktion_namen', ['x'.repeat(101)]],
    ['projekt_namen', Array.from({ length: 11 }, (_, index) => `n${index}`)],
    ['abo_weiterbelasten', 'vielleicht'],
  ])('refuses %s %j', async (field, value) => {
    const answer = await set({ ...NONE, [field]: value });
    expect(answer.statusCode).toBe(422);
    expect(answer.json().detail[0].loc.slice(0, 2)).toEqual(['body', field]);
  });

  it('is for those who administer, with a session', async () => {
    const statuses = await statusByRole(service, account, ({ cookie }) => set(NONE, { cookie }));
    expect(statuses).toEqual(admitting(ADMINISTRATORS));
    expect((await set(NONE, {})).statusCode).toBe(401);
  });

  it('holds for what subscriptions pay for from then on', async () => {
    const sender = await registerAccount(service);
    const { secret } = await createKey(service, sender);
    const send = async (n: number) => {
      const call = { agent: `a-${n}`, endkunde_ref: 'k-1', zusatz: { abonnement: true } };
      await service.app.inject({
        method: 'POST',
        url: '/v1/ereignisse',
        headers: { authorization: `Bearer ${secret}` },
        payload: { ereignisse: [call, { ...call, zusatz: null }] },
      });
      await countAll(service);
    };
    await send(1);
    await set({ ...NONE, abo_weiterbelasten: true }, { cookie: sender.cookie });
    await send(2);
    const events = await service.sql(
      `SELECT agent, zusatz IS NOT NULL AS abo, endkunde_ref FROM ereignisse WHERE mandant_id = $1 ORDER BY 1, 2`,
      [sender.mandantId],
    );
    expect(events).toEqual([
      { agent: 'a-1', abo: false, endkunde_ref: 'k-1' },
      { agent: 'a-1', abo: true, endkunde_ref: null },
      { agent: 'a-2', abo: false, endkunde_ref: 'k-1' },
      { agent: 'a-2', abo: true, endkunde_ref: 'k-1' },
    ]);
  });
});
