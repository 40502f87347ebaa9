import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { ACCOUNTANTS, admitting, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';

let service: TestService;
let account: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  service.clock.set('2026-11-05T10:30:00Z');
  account = await registerAccount(service);
});

const compare = (csv: string, user: Account | null = account, monat = '2026-10') =>
  service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/abgleich/nutzung',
    headers: user ? { cookie: user.cookie } : {},
    payload: { monat, csv },
  });
const COSTS = [
  'usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd',
  '2026-10-03,claude-haiku-4-5,Default,k,message,,input,1.5',
  '2026-10-04,claude-haiku-4-5,Default,k,message,,output,0.25',
  '2026-10-04,claude-opus-4-1,Default,k,message,,input,2',
  '2026-10-04,claude-sonnet-4,Default,k,message,,input,3',
  '2026-11-01,claude-haiku-4-5,Default,k,message,,input,9',
].join('\n');

it('holds a provider’s file against what was counted in the month in UTC, model by model', async () => {
  const { secret } = await createKey(service, account);
  const call = { agent: 'a', anbieter: 'anthropic', modell: 'claude-haiku-4-5', ausgabe_token: 0 };
  await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: {
      ereignisse: [
        { ...call, zeitpunkt: '2026-10-10T10:00:00Z', eingabe_token: 1_000_000 },
        // November in Berlin, October in UTC; the other way round.
        { ...call, zeitpunkt: '2026-10-31T23:30:00Z', eingabe_token: 500_000 },
        { ...call, zeitpunkt: '2026-09-30T23:30:00Z', eingabe_token: 7_000_000 },
        {
          ...call,
          modell: 'claude-opus-4-1-20250805',
          zeitpunkt: '2026-10-10T10:00:00Z',
          eingabe_token: 100_000,
        },
        { ...call, modell: 'eigenes', zeitpunkt: '2026-10-10T10:00:00Z', eingabe_token: 3 },
        {
          ...call,
          modell: 'claude-3-haiku-20240307',
          zeitpunkt: '2026-10-10T10:00:00Z',
          eingabe_token: 4_000_000,
        },
      ],
    },
  });
  await countAll(service);
  const answer = await compare(COSTS);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.json()).toMatchObject({
    anbieter: 'anthropic',
    art: 'kosten',
    monat: '2026-10',
    andere_monate: 1,
    zeilen: [
      // The file does not charge for it.
      { modell: 'claude-3-haiku-20240307', datei: null, differenz_usd: '-1' },
      {
        modell: 'claude-haiku-4-5',
        gezaehlt_als: null,
        datei: { betrag: '1.75', waehrung: 'USD' },
        gezaehlt: { aufrufe: 2, eingabe_token: '1500000', kosten_usd: '1.5' },
        differenz_usd: '0.25',
      },
      // Counted by its dated name.
      {
        modell: 'claude-opus-4-1',
        gezaehlt_als: 'claude-opus-4-1-20250805',
        datei: { betrag: '2' },
        gezaehlt: { aufrufe: 1, kosten_usd: '1.5' },
        differenz_usd: '0.5',
      },
      {
        modell: 'claude-sonnet-4',
        gezaehlt_als: null,
        datei: { betrag: '3' },
        gezaehlt: null,
        differenz_usd: '3',
      },
      { modell: 'eigenes', datei: null, gezaehlt: { aufrufe: 1, kosten_usd: null }, differenz_usd: null },
    ],
  });
});

it('refuses what is no such file, and who may not see it', async () => {
  expect((await compare('a,b\n1,2\n')).statusCode).toBe(422);
  expect((await compare(COSTS.replace('1.5', 'viel'))).statusCode).toBe(422);
  expect((await compare(COSTS, account, '2026-13')).statusCode).toBe(422);
  expect((await compare(COSTS, null)).statusCode).toBe(401);
  const wrong = (user: Account) => compare('a,b\n', user);
  expect(await statusByRole(service, account, wrong)).toEqual(admitting(ACCOUNTANTS, 422));
});
