import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls, type Protected } from '#test/protection.ts';
import { startService, type TestService } from '#test/service.ts';

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

const burnt = async ({ rows }: Protected) =>
  rows('ereignisse', 'schritt_nr::int AS schritt, wiederholung').then((all) =>
    all.filter(({ wiederholung }) => wiederholung).map(({ schritt }) => schritt),
  );

test('the lowest threshold that fires decides which streaks are burnt, each from the third call to the last but one', async () => {
  const ours = await createProtected(service, owner);
  await ours.addRule('schleife_exakt', { schwelle: 8, schattenbetrieb: true });
  await ours.addRule('schleife_exakt', { schwelle: 4 });
  // Three alike, one other, four alike.
  await ours.send(
    equalCalls(8, {}, (place) => (place === 3 ? { prompt_fingerabdruck: 'ffffffffffffff00' } : {})).calls,
  );
  await ours.settle();
  expect(await burnt(ours)).toEqual([7]);
  expect(await ours.rows('wiederholungen_offen', 'lauf_id, 1')).toEqual([]);
});

test('without an active rule everything stays as it was proven', async () => {
  const ours = await createProtected(service, owner);
  const rule = await ours.addRule('schleife_exakt');
  const { lauf, calls } = equalCalls(5);
  await ours.send(calls);
  await ours.settle();
  expect(await burnt(ours)).toEqual([3, 4]);
  await service.sql('UPDATE regeln SET aktiv = false WHERE regel_id = $1', [rule]);
  await ours.send(equalCalls(2, { lauf, from: 5 }).calls);
  await ours.settle();
  expect(await burnt(ours)).toEqual([3, 4]);
  expect(await ours.rows('befunde', 'status, typ')).toEqual([{ status: 'offen', typ: 'schleife_exakt' }]);
});

test('a run that was given up is read with its next loop, an hour later', async () => {
  const ours = await createProtected(service, owner);
  await ours.addRule('schleife_exakt');
  const { lauf, calls } = equalCalls(5);
  await service.sql('INSERT INTO wiederholungen_offen (mandant_id, lauf_id, seit) VALUES ($1, $2, $3)', [
    ours.mandant,
    lauf,
    service.clock.now(),
  ]);
  await ours.send(calls);
  await ours.settle();
  expect(await burnt(ours)).toEqual([]);
  await service.sql(
    `UPDATE wiederholungen_offen SET seit = now() - interval '2 hours' WHERE mandant_id = $1`,
    [ours.mandant],
  );
  await ours.send(equalCalls(1, { lauf, from: 5 }).calls);
  await ours.settle();
  expect(await burnt(ours)).toEqual([3, 4, 5]);
});
