/** The limits of money: what a Mandant begins with, and what somebody makes of it. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Account, registerAccount } from '#test/account.ts';
import { admitting, EDITORS, EVERYBODY, statusByRole } from '#test/roles.ts';
import { startService, type TestService } from '#test/service.ts';
import { putDefaults } from '../put-defaults.ts';

let service: TestService;
let ours: Account;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  ours = await registerAccount(service);
});

const URL = '/v1/cockpit/regeln/geldgrenzen';
const get = (headers: Record<string, string> = { cookie: ours.cookie }) =>
  service.app.inject({ url: URL, headers });
const put = (payload: object, headers: Record<string, string> = { cookie: ours.cookie }) =>
  service.app.inject({ method: 'PUT', url: URL, headers, payload });
const rules = () =>
  service.sql<Record<string, unknown>>(
    `SELECT typ, trim_scale(schwelle)::text AS schwelle, stufe, zeitfenster, parameter->>'je' AS je, aktiv, schattenbetrieb
     FROM regeln WHERE mandant_id = $1 AND einheit = 'eur' AND typ <> 'baum_deckel' ORDER BY regel_id`,
    [ours.mandantId],
  );
const held = async () =>
  (await get())
    .json()
    .grenzen.map(({ grenze, betrag_eur, stufe }: Record<string, string>) => [grenze, betrag_eur, stufe]);

test('they hold from the registration on, as proposed, and nobody has confirmed them', async () => {
  await putDefaults(service.context, mandantId(ours.mandantId));
  const { grenzen, bestaetigt_am } = (await get()).json();
  expect(bestaetigt_am).toBeNull();
  expect(grenzen).toEqual(
    [
      ['lauf', '20', 'anhalten'],
      ['agent_stunde', '10', 'warnen'],
      ['tag', '100', 'warnen'],
    ].map(([grenze, eur, stufe]) => ({
      grenze,
      vorschlag_eur: eur,
      betrag_eur: eur,
      stufe,
      regel_id: expect.any(String),
    })),
  );
  const inForce = { aktiv: true, schattenbetrieb: false };
  expect(await rules()).toEqual([
    { typ: 'lauf_deckel', schwelle: '20', stufe: 'anhalten', zeitfenster: null, je: null, ...inForce },
    { typ: 'kosten_grenze', schwelle: '10', stufe: 'warnen', zeitfenster: 'stunde', je: 'agent', ...inForce },
    { typ: 'kosten_grenze', schwelle: '100', stufe: 'warnen', zeitfenster: 'tag', je: 'bereich', ...inForce },
  ]);
});

test('confirmed as they are nothing changes but that; a second answer is no second confirmation', async () => {
  await putDefaults(service.context, mandantId(ours.mandantId));
  const before = await rules();
  const { bestaetigt_am } = (await put({})).json();
  expect(bestaetigt_am).toEqual(expect.any(String));
  expect(await rules()).toEqual(before);
  expect((await put({})).json().bestaetigt_am).toBe(bestaetigt_am);
  const entries = await service.sql(
    `SELECT 1 FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'geldgrenzen.bestaetigt'`,
    [ours.mandantId],
  );
  expect(entries).toHaveLength(1);
});

test('changed and switched off as rules; what a person has set of a rule besides stays', async () => {
  await putDefaults(service.context, mandantId(ours.mandantId));
  await service.sql(`UPDATE regeln SET stufe = 'sperren' WHERE mandant_id = $1 AND zeitfenster = 'tag'`, [
    ours.mandantId,
  ]);
  expect((await put({ lauf_eur: '2.50', agent_stunde_eur: null })).statusCode).toBe(200);
  expect(await held()).toEqual([
    ['lauf', '2.5', 'anhalten'],
    ['agent_stunde', null, 'warnen'],
    ['tag', '100', 'sperren'],
  ]);
  await put({ agent_stunde_eur: 3, tag_eur: 50 });
  expect(await held()).toEqual([
    ['lauf', '2.5', 'anhalten'],
    ['agent_stunde', '3', 'warnen'],
    ['tag', '50', 'sperren'],
  ]);
  expect(await rules()).toHaveLength(3);
});

test('a Mandant of before has none until somebody sets them', async () => {
  expect(await held()).toEqual([
    ['lauf', null, 'anhalten'],
    ['agent_stunde', null, 'warnen'],
    ['tag', null, 'warnen'],
  ]);
  await put({ lauf_eur: 5, tag_eur: null });
  expect(await held()).toEqual([
    ['lauf', '5', 'anhalten'],
    ['agent_stunde', null, 'warnen'],
    ['tag', null, 'warnen'],
  ]);
});

test('401 without a session; everybody may read, editors may set; of another Mandant nothing is seen', async () => {
  expect((await get({})).statusCode).toBe(401);
  expect((await put({}, {})).statusCode).toBe(401);
  const [reading, setting] = [
    await statusByRole(service, ours, ({ cookie }) => get({ cookie })),
    await statusByRole(service, ours, ({ cookie }) => put({}, { cookie })),
  ];
  expect(reading).toEqual(admitting(EVERYBODY));
  expect(setting).toEqual(admitting(EDITORS));
  const other = await registerAccount(service);
  expect((await get({ cookie: other.cookie })).json().bestaetigt_am).toBeNull();
});

test.each([
  [{ lauf_eur: -1 }, 'lauf_eur'],
  [{ tag_eur: 'viel' }, 'tag_eur'],
  [{ agent_stunde_eur: '1000000000.01' }, 'agent_stunde_eur'],
])('422 for %j', async (payload, place) => {
  const answer = await put(payload);
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail).toEqual([expect.objectContaining({ loc: ['body', place] })]);
});
