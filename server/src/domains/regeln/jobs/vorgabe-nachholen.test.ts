import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { DEFAULT_RULES, GIVEN_LATER } from '../defaults.ts';
import { vorgabeNachholenJob } from './vorgabe-nachholen.ts';

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
  await service.sql('UPDATE mandanten SET regeln_angelegt_am = now(), regeln_nachgereicht = $1', [
    GIVEN_LATER,
  ]);
  ours = await registerAccount(service);
});

const run = () => vorgabeNachholenJob({ ...service.context, owner }).run();
const types = async () =>
  (
    await service.sql<{ typ: string }>('SELECT typ FROM regeln WHERE mandant_id = $1 ORDER BY regel_id', [
      ours.mandantId,
    ])
  ).map(({ typ }) => typ);
const NOTHING = { mandanten: 0, nachgereicht: 0 };
const DEFAULTS = DEFAULT_RULES.map(({ typ }) => typ);

test('a Mandant of before gets its rules, once, even when two processes are at it', async () => {
  const done = await Promise.all([run(), run()]);
  expect(done.map((each) => each.mandanten).sort()).toEqual([0, 1]);
  expect(await types()).toEqual(DEFAULTS);
  expect(await run()).toEqual(NOTHING);
  expect(await types()).toEqual(DEFAULTS);
  const entries = await service.sql(
    `SELECT akteur_art FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'regeln.vorgabe_angelegt'`,
    [ours.mandantId],
  );
  expect(entries).toEqual([{ akteur_art: 'system' }]);
});

test('rules that were removed do not come back', async () => {
  await run();
  await service.sql('DELETE FROM regeln WHERE mandant_id = $1', [ours.mandantId]);
  expect(await run()).toEqual(NOTHING);
  expect(await types()).toEqual([]);
});

/** As a release has left it that did not know the rule. */
async function ofBefore(): Promise<void> {
  await run();
  await service.sql(`DELETE FROM regeln WHERE mandant_id = $1 AND typ = 'preis_abweichend'`, [
    ours.mandantId,
  ]);
  await service.sql(`UPDATE mandanten SET regeln_nachgereicht = '{}' WHERE mandant_id = $1`, [
    ours.mandantId,
  ]);
}
const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, payload?: object) =>
  service.app.inject({
    method,
    url: `/v1/cockpit/regeln${path}`,
    headers: { cookie: ours.cookie },
    ...(payload ? { payload } : {}),
  });
const later = async () => (await types()).filter((typ) => typ === 'preis_abweichend').length;

test('a rule of a later release is given once, in shadow mode, with an entry; removed, it stays away', async () => {
  await ofBefore();
  const done = await Promise.all([run(), run()]);
  expect(done.map((each) => each.nachgereicht).sort()).toEqual([0, 1]);
  const { regeln } = (await ask('GET', '?limit=200')).json();
  const rule = regeln.find(({ typ }: { typ: string }) => typ === 'preis_abweichend');
  expect(rule).toMatchObject({ schattenbetrieb: true, aktiv: true });
  const [, entry] = await service.sql<{ nachher: { regeln: string[] } }>(
    `SELECT nachher FROM pruefprotokoll WHERE mandant_id = $1 AND aktion = 'regeln.vorgabe_angelegt' ORDER BY eintrag_id`,
    [ours.mandantId],
  );
  expect(entry?.nachher.regeln).toEqual([rule.name]);
  expect((await ask('DELETE', `/${rule.regel_id}`)).statusCode).toBeLessThan(300);
  expect(await run()).toEqual(NOTHING);
  expect(await later()).toBe(0);
});

test('who has removed it before, or has one of their own, is given none', async () => {
  await ofBefore();
  const typ = 'preis_abweichend';
  const own = { typ, geltungsbereich: 'mandant', stufe: 'beobachten' };
  const made = await ask('POST', '', own);
  expect(made.statusCode, made.body).toBe(201);
  expect(await run()).toEqual(NOTHING);
  expect(await later()).toBe(1);
  await service.sql(`UPDATE mandanten SET regeln_nachgereicht = '{}' WHERE mandant_id = $1`, [
    ours.mandantId,
  ]);
  await ask('DELETE', `/${made.json().regel_id}`);
  expect(await run()).toEqual(NOTHING);
  expect(await later()).toBe(0);
});

test('who has as many rules as there can be is given it once there is room', async () => {
  await ofBefore();
  const full = (count: number) =>
    service.sql(
      `INSERT INTO regeln SELECT neu.* FROM (SELECT * FROM regeln WHERE mandant_id = $1::text::uuid LIMIT 1) r, generate_series(1, $2) n,
         jsonb_populate_record(NULL::regeln, to_jsonb(r) || jsonb_build_object('regel_id', md5($1::text || n))) AS neu`,
      [ours.mandantId, count],
    );
  await full(200 - (await types()).length);
  expect(await run()).toEqual(NOTHING);
  await service.sql(
    'DELETE FROM regeln WHERE regel_id = (SELECT regel_id FROM regeln WHERE mandant_id = $1 LIMIT 1)',
    [ours.mandantId],
  );
  expect(await run()).toEqual({ mandanten: 0, nachgereicht: 1 });
});
