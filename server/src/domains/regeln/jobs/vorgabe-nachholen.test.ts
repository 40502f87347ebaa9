import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { DEFAULT_RULES } from '../defaults.ts';
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
  await service.sql('UPDATE mandanten SET regeln_angelegt_am = now()');
  ours = await registerAccount(service);
});

const run = () => vorgabeNachholenJob({ ...service.context, owner }).run();
const types = async () =>
  (
    await service.sql<{ typ: string }>('SELECT typ FROM regeln WHERE mandant_id = $1 ORDER BY regel_id', [
      ours.mandantId,
    ])
  ).map(({ typ }) => typ);
const DEFAULTS = DEFAULT_RULES.map(({ typ }) => typ);

test('a Mandant of before gets its rules, once, even when two processes are at it', async () => {
  const done = await Promise.all([run(), run()]);
  expect(done.map((each) => each.mandanten).sort()).toEqual([0, 1]);
  expect(await types()).toEqual(DEFAULTS);
  expect(await run()).toEqual({ mandanten: 0 });
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
  expect(await run()).toEqual({ mandanten: 0 });
  expect(await types()).toEqual([]);
});
