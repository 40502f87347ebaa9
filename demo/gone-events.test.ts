import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { countAll } from '#test/any-questions.ts';
import { writeFormerSums } from '#test/former-sums.ts';
import { answersByOne, putAllTogether, removeEvents } from '#test/gone-events.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { startEngine, type TestEngine } from '#test/sums-by-engine.ts';
import { batchesOf } from './fill.ts';
import { ZONE } from './rhythm.ts';
import { BUSINESS, traffic } from './traffic.ts';

const WORLD = { seed: 'test', beginn: Date.parse('2026-05-20T10:00:00Z') };
/** April ends in it, here and in UTC. */
const HOURS = { von: Date.parse('2026-04-30T20:00:00Z'), bis: Date.parse('2026-05-01T02:00:00Z') };

let service: TestService;
let owner: OwnerDatabase;
let own: TestEngine;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
  own = startEngine();
});
afterAll(async () => {
  await own?.stop();
  await owner?.close();
  await service?.stop();
});

test('what is left of days whose events are gone is answered as before', async () => {
  const sent = [...batchesOf(traffic(WORLD, BUSINESS, HOURS))];
  const { mandantId } = await countAll(service, owner, sent);
  await writeFormerSums(service, mandantId);
  await service.sql('UPDATE verbrauch_tagesstand SET gelistet = geaendert WHERE mandant_id = $1', [
    mandantId,
  ]);
  const [von, bis] = ['2026-04-01', '2026-06-01'].map((day) =>
    Temporal.PlainDate.from(day).toZonedDateTime(ZONE),
  ) as [Temporal.ZonedDateTime, Temporal.ZonedDateTime];
  const before = await answersByOne(service, own.engine, mandantId, { von, bis });
  await removeEvents(service, owner, mandantId, '2026-05-01T00:00:00Z');
  const days = await service.sql('SELECT FROM verbrauch_tagesstand WHERE stuecke_dimensionen = 2');
  expect(days.length).toBe(2);
  await putAllTogether(service, owner);
  expect(await answersByOne(service, own.engine, mandantId, { von, bis })).toEqual(before);
}, 120_000);
