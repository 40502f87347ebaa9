import { afterAll, beforeAll, expect, test } from 'vitest';
import { REGELTYP_NAMEN } from '#contracts';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';

let service: TestService;
let ours: Account;

beforeAll(async () => {
  service = await startService();
  ours = await registerAccount(service);
});
afterAll(() => service.stop());

const get = (cookie: string | null = ours.cookie) =>
  service.app.inject({ url: '/v1/cockpit/regeln/typen', headers: cookie ? { cookie } : {} });

interface Type {
  typ: string;
  schwelle: { vorgabe: string | null } | null;
  bereiche: string[];
  parameter: { name: string; pflicht: boolean; vorgabe: unknown; art: string; min: string; max: string }[];
}

test('every type with what may be set of it', async () => {
  const { typen, stufen } = (await get()).json();
  expect(typen.map(({ typ }: Type) => typ)).toEqual(REGELTYP_NAMEN);
  expect(stufen).toEqual(['beobachten', 'warnen', 'drosseln', 'anhalten', 'sperren']);
  const of = (typ: string) => typen.find((one: Type) => one.typ === typ);
  expect(of('fehlerbrand')).toMatchObject({
    name: 'Viele Fehler',
    objekt: 'agent',
    schwelle: { einheiten: ['prozent'], vorgabe: '20', min: '1', max: '100' },
    zeitfenster: { vorgabe: '15m', kalender: false },
    bereiche: ['mandant', 'projekt', 'agent', 'endkunde'],
    hoechstens: 'sperren',
    parameter: [
      {
        name: 'mindest_aufrufe',
        art: 'ganzzahl',
        pflicht: false,
        vorgabe: 10,
        min: '1',
        max: '1000000',
        werte: null,
      },
      { name: 'mindest_kosten_eur', art: 'dezimal', vorgabe: '1', min: '0', max: '1000000000' },
      { name: 'mindest_fehler', art: 'ganzzahl', vorgabe: 20, min: '1', max: '1000000' },
    ],
  });
  expect(of('budget_schwelle')).toMatchObject({
    schwelle: null,
    zeitfenster: null,
    parameter: [{ name: 'stufen', art: 'zahlen', vorgabe: [50, 80, 100], min: '1', max: '100' }],
  });
  expect(of('modell_verboten').parameter).toMatchObject([{ art: 'woerter', pflicht: true, vorgabe: null }]);
  expect(of('latenz').parameter[0]).toMatchObject({ art: 'wort', werte: ['latenz_ms', 'erste_zeichen_ms'] });
});

test('its defaults are what a rule of the type has', async () => {
  const { typen } = (await get()).json();
  for (const { typ, schwelle, parameter } of typen as Type[]) {
    if (schwelle?.vorgabe === null || parameter.some(({ pflicht }) => pflicht)) continue;
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/cockpit/regeln',
      headers: { cookie: ours.cookie },
      payload: { typ },
    });
    expect(answer.statusCode, typ).toBe(201);
    expect(answer.json().schwelle, typ).toBe(schwelle?.vorgabe ?? null);
    const defaults = parameter.map(({ name, vorgabe }) => [name, vorgabe]);
    expect(answer.json().parameter, typ).toEqual(Object.fromEntries(defaults));
  }
});

test('401 without a session; every role may read', async () => {
  expect((await get(null)).statusCode).toBe(401);
  expect(await statusByRole(service, ours, ({ cookie }) => get(cookie))).toEqual(admitting(EVERYBODY));
});
