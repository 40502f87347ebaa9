import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { alteEntfernenJob } from './alte-entfernen.ts';

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

const OLD = new Date(Date.now() - 401 * 86_400_000).toISOString();
const YOUNG = new Date(Date.now() - 399 * 86_400_000).toISOString();

async function finding(
  mandant: string,
  name: string,
  { status = 'erledigt', vorfall = 'geschlossen', schatten = false, am = OLD } = {},
) {
  const id = randomUUID();
  await service.sql(
    `WITH v AS (INSERT INTO vorfaelle (mandant_id, vorfall_id, objekt_art, objekt, status, befunde, stufe, schatten, beginn, letzter_befund_am)
       VALUES ($1, $2, 'agent', $3, $5, 1, 'warnen', $6, $7, $7))
     INSERT INTO befunde (mandant_id, befund_id, schluessel, typ, objekt_art, objekt, agent, fenster_beginn, stufe, schatten, status,
       werte, vorfall_id, erkannt_am, geaendert_am)
     VALUES ($1, gen_random_uuid(), $3, 'stille', 'agent', $3, $3, $7, 'warnen', $6, $4, '{}', $2, $7, $7)`,
    [mandant, id, name, status, vorfall, schatten, am],
  );
}

test('what is over for more than a year goes, what somebody still has to look at stays', async () => {
  const { mandantId } = await registerAccount(service);
  await finding(mandantId, 'alt');
  await finding(mandantId, 'schatten', { status: 'offen', vorfall: 'offen', schatten: true });
  await finding(mandantId, 'jung', { am: YOUNG });
  await finding(mandantId, 'offen', { status: 'offen', vorfall: 'offen' });
  await finding(mandantId, 'offener Vorfall', { vorfall: 'offen' });
  await service.sql(
    `INSERT INTO eingriffe (mandant_id, eingriff_id, stufe, objekt_art, objekt, agent, schatten, grund_de, grund_en, beginn, bis)
     SELECT $1, gen_random_uuid(), 'sperren', 'agent', name, name, false, 'g', 'g', $2, bis
     FROM (VALUES ('vorbei', $2::timestamptz), ('bis heute', now()), ('ohne Ende', NULL)) AS n (name, bis)`,
    [mandantId, OLD],
  );
  const job = alteEntfernenJob({ owner, log: service.context.log });
  expect(await job.run()).toEqual({ entfernt: 5 });
  const left = async (table: string) =>
    (
      await service.sql<{ objekt: string }>(`SELECT objekt FROM ${table} WHERE mandant_id = $1 ORDER BY 1`, [
        mandantId,
      ])
    ).map(({ objekt }) => objekt);
  expect(await left('befunde')).toEqual(['jung', 'offen', 'offener Vorfall']);
  expect(await left('vorfaelle')).toEqual(['jung', 'offen', 'offener Vorfall']);
  expect(await left('eingriffe')).toEqual(['bis heute', 'ohne Ende']);
  expect(await job.run()).toEqual({ entfernt: 0 });
});
