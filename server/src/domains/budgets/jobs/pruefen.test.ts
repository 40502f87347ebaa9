import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { systemClock } from '#kernel/clock.ts';
import { registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { addAgent, addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { pruefenJobs } from './pruefen.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});
beforeEach(() => service.sql('DELETE FROM pruefungen'));

const run = () => pruefenJobs({ owner, clock: systemClock, log: service.context.log })[0].run();

async function overspent(zeitzone = 'Europe/Berlin'): Promise<string> {
  const account = await registerAccount(service);
  const { mandantId } = account;
  await addAgent(service, mandantId, 'a');
  await service.sql('UPDATE agenten SET budget_eur = 1 WHERE mandant_id = $1', [mandantId]);
  const now = new Date().toISOString();
  const row = { stunde: `${now.slice(0, 13)}:00:00Z`, tag: now.slice(0, 10), agent: 'a', kosten_eur: '2' };
  await addConsumption(service, mandantId, [row]);
  await service.app.inject({
    method: 'POST',
    url: '/v1/cockpit/regeln',
    headers: { cookie: account.cookie },
    payload: { typ: 'budget_schwelle', parameter: { stufen: [50, 100] } },
  });
  await service.sql('UPDATE mandanten SET zeitzone = $2 WHERE mandant_id = $1', [mandantId, zeitzone]);
  return mandantId;
}

test('all Mandanten with budgets, and one that fails keeps nobody else', async () => {
  await overspent('UTC');
  await registerAccount(service);
  expect(await run()).toEqual({ mandanten: 1, budgets: 1, befunde: 2 });
  const recorded = () => service.sql('SELECT typ, objekt_art, objekt, schatten, status, werte FROM befunde');
  expect(await recorded()).toMatchObject([
    {
      typ: 'budget_schwelle',
      objekt_art: 'agent',
      objekt: 'a',
      schatten: true,
      werte: { schwelle_prozent: 100 },
    },
    { werte: { schwelle_prozent: 50 } },
  ]);
  await service.sql(`UPDATE pruefungen SET begonnen_am = begonnen_am - interval '5 seconds'`);
  expect(await run()).toMatchObject({ befunde: 2 });
  expect(await recorded()).toHaveLength(2);
  await service.sql(`UPDATE pruefungen SET begonnen_am = begonnen_am - interval '5 seconds'`);
  const broken = await overspent('Keine/Zone');
  await overspent('UTC');
  await expect(run()).rejects.toThrow('failed for 1 Mandanten');
  const [row] = await service.sql(`SELECT beendet_am IS NOT NULL AS ended, zaehler FROM pruefungen`);
  expect(row).toEqual({ ended: true, zaehler: { mandanten: 2, budgets: 2, befunde: 4 } });
  await service.sql('UPDATE mandanten SET zeitzone = $2 WHERE mandant_id = $1', [broken, 'UTC']);
});

test('of two at the same time one does it', async () => {
  const done = await Promise.all([run(), run()]);
  expect(done.filter((each) => 'geteilt' in each)).toEqual([{ geteilt: true }]);
});
