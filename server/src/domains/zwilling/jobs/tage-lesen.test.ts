import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls, type Protected } from '#test/protection.ts';
import { startService, type TestService } from '#test/service.ts';
import { createTwinReader } from '#test/twin.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let reader: ReturnType<typeof createTwinReader>;

beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
  reader = createTwinReader(service, owner);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});

const SAVINGS = 'ursache, befund_id, tag, agent, aufrufe, gespart_eur';
const callsSaved = async ({ rows }: Protected) =>
  (await rows('zwilling_ersparnisse', 'ursache, aufrufe::int')).map(({ aufrufe }) => aufrufe);

test('what nothing was found of is not read', async () => {
  const ours = await createProtected(service, owner);
  await ours.send(equalCalls(2).calls);
  await ours.settle();
  expect(await reader.readRested()).toBe(0);
  expect(await ours.rows('zwilling_tage', 'tag, geaendert')).toEqual([]);
});

test('reading again changes nothing, and only what changed is read', async () => {
  const ours = await createProtected(service, owner);
  await ours.addRule('schleife_exakt');
  const { lauf, calls } = equalCalls(5);
  await ours.send(calls);
  await ours.settle();
  await reader.readRested();
  const before = await ours.rows('zwilling_ersparnisse', SAVINGS);
  expect(before).toHaveLength(1);
  await service.sql(`UPDATE befunde SET geaendert_am = now() - interval '1 hour'`);
  expect(await reader.readRested()).toBe(0);
  await service.sql('UPDATE zwilling_tage SET geaendert = -1 WHERE mandant_id = $1', [ours.mandant]);
  expect(await reader.readRested()).toBe(1);
  expect(await ours.rows('zwilling_ersparnisse', SAVINGS)).toEqual(before);
  await ours.send(equalCalls(1, { lauf, from: 5 }).calls);
  await ours.settle();
  await reader.readRested();
  expect(await callsSaved(ours)).toEqual([3]);
});

test('a finding that came after its day was read has it read once more', async () => {
  const ours = await createProtected(service, owner);
  await ours.addRule('schleife_exakt');
  await ours.send(equalCalls(5).calls);
  await ours.settle();
  await service.sql(`UPDATE befunde SET status = 'ignoriert' WHERE mandant_id = $1`, [ours.mandant]);
  await reader.readRested();
  expect(await callsSaved(ours)).toEqual([]);
  await service.sql(`UPDATE befunde SET status = 'offen', geaendert_am = now() WHERE mandant_id = $1`, [
    ours.mandant,
  ]);
  await reader.readRested();
  expect(await callsSaved(ours)).toEqual([2]);
});

test('a day that changes all the time rests for half a minute, five minutes at most', async () => {
  const ours = await createProtected(service, owner);
  await ours.addRule('schleife_exakt');
  const { lauf, calls } = equalCalls(5);
  await ours.send(calls);
  await ours.settle();
  expect(await reader.readNow()).toBe(1);
  await ours.send(equalCalls(1, { lauf, from: 5 }).calls);
  await ours.settle();
  expect(await reader.readNow()).toBe(0);
  const age = (interval: string) =>
    service.sql('UPDATE zwilling_tage SET gelesen_am = now() - $2::interval WHERE mandant_id = $1', [
      ours.mandant,
      interval,
    ]);
  await age('2 minutes');
  expect(await reader.readNow()).toBe(0);
  await age('6 minutes');
  expect(await reader.readNow()).toBe(1);
  expect(await callsSaved(ours)).toEqual([3]);
});
