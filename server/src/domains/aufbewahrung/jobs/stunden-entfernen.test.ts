/** Hours go when nothing needs them any more; what is counted of them later goes, too. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { addConsumption } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { stundenEntfernenJob } from './stunden-entfernen.ts';

/** Sums of one call: in total and by its agent. */
const SUMS = 2;

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});
beforeEach(() => service.sql(`UPDATE uhrstand SET vergangen_bis = '2026-11-20T12:00:00Z'`));

const run = () => stundenEntfernenJob({ owner, log: service.context.log }).run();

async function account(hours: string[]): Promise<string> {
  const { mandantId } = await registerAccount(service);
  await service.sql('INSERT INTO zaehlstaende (mandant_id) VALUES ($1)', [mandantId]);
  await addConsumption(
    service,
    mandantId,
    hours.map((stunde) => ({
      stunde,
      tag: Temporal.Instant.from(stunde).toZonedDateTimeISO('Europe/Berlin').toPlainDate().toString(),
      agent: 'a',
    })),
  );
  return mandantId;
}
const hoursOf = async (mandant: string) =>
  (
    await service.sql<{ stunde: string }>(
      'SELECT stunde FROM verbrauch_laufend_stunde WHERE mandant_id = $1 AND dimension = 1 ORDER BY stunde',
      [mandant],
    )
  ).map(({ stunde }) => Temporal.Instant.from(stunde).toString());
const keptFrom = async (mandant: string) =>
  (
    await service.sql<{ ab: string | null }>(
      'SELECT stunden_ab AS ab FROM zaehlstaende WHERE mandant_id = $1',
      [mandant],
    )
  )[0]?.ab ?? null;

const OLD = ['2025-12-01T10:00:00Z', '2026-06-10T10:00:00Z', '2026-07-31T23:00:00Z'];
const KEPT = ['2026-08-01T00:00:00Z', '2026-11-20T11:00:00Z'];

test('hours from before the third month before go', async () => {
  const [whole, young] = [await account([...OLD, ...KEPT]), await account(KEPT)];
  expect(await run()).toEqual({ summen: OLD.length * SUMS });
  expect(await hoursOf(whole)).toEqual(KEPT);
  expect(await hoursOf(young)).toEqual(KEPT);
  expect(await keptFrom(whole)).toMatch(/^2026-08-01/);
  expect(await keptFrom(young)).toBeNull();
  // What is counted of an hour that is gone goes with the next run; as long as it is there nobody takes it for the whole.
  await service.sql(
    `INSERT INTO verbrauch_laufend_stunde SELECT (jsonb_populate_record(v, jsonb_build_object('stunde', '2026-05-05T05:00:00Z'))).*
     FROM verbrauch_laufend_stunde v WHERE mandant_id = $1 AND stunde = '2026-08-01T00:00:00Z'`,
    [whole],
  );
  expect(await run()).toEqual({ summen: SUMS });
  expect(await keptFrom(whole)).toMatch(/^2026-08-01/);
});

test.each([
  ['200d', OLD.slice(1)],
  ['300h', []],
  ['monat', []],
])('a rule over %s keeps what it reaches back to', async (zeitfenster, left) => {
  const mandant = await account([...OLD, ...KEPT]);
  await service.sql(
    `INSERT INTO regeln (mandant_id, name, typ, geltungsbereich, stufe, schwelle, einheit, zeitfenster, schattenbetrieb, aktiv, parameter)
     VALUES ($1, 'x', 'kosten_grenze', 'mandant', 'warnen', 1, 'eur', $2, true, false, '{"je":"bereich"}')`,
    [mandant, zeitfenster],
  );
  await run();
  expect(await hoursOf(mandant)).toEqual([...left, ...KEPT]);
});

test('nothing goes as long as no time is certain', async () => {
  const mandant = await account([...OLD, ...KEPT]);
  await service.sql('UPDATE uhrstand SET vergangen_bis = NULL');
  expect(await run()).toEqual({ summen: 0 });
  expect(await hoursOf(mandant)).toEqual([...OLD, ...KEPT]);
});
