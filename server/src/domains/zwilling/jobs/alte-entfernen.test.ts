import { afterAll, beforeAll, expect, test } from 'vitest';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls } from '#test/protection.ts';
import { startService, type TestService } from '#test/service.ts';
import { createTwinReader } from '#test/twin.ts';
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

const clean = () => alteEntfernenJob({ owner, log: service.context.log }).run();

async function withSavings() {
  const ours = await createProtected(service, owner);
  await ours.addRule('schleife_exakt');
  for (let run = 0; run < 3; run += 1) await ours.send(equalCalls(5).calls);
  await ours.settle();
  await createTwinReader(service, owner).readRested();
  const left = async () =>
    (await ours.rows('zwilling_ersparnisse', 'befund_id, tag')).map(({ befund_id }) => befund_id);
  return { ...ours, left };
}

test('savings go with their findings; those of ignored ones stay, they may be taken up again', async () => {
  const ours = await withSavings();
  const others = await withSavings();
  const [gone, withdrawn, ignored] = (await ours.left()) as [string, string, string];
  await service.sql('DELETE FROM befunde WHERE mandant_id = $1 AND befund_id = $2', [ours.mandant, gone]);
  const status = 'UPDATE befunde SET status = $3 WHERE mandant_id = $1 AND befund_id = $2';
  await service.sql(status, [ours.mandant, withdrawn, 'hinfaellig']);
  await service.sql(status, [ours.mandant, ignored, 'ignoriert']);
  expect(await clean()).toEqual({ entfernt: 2 });
  expect(await ours.left()).toEqual([ignored]);
  expect(await others.left()).toHaveLength(3);
  expect(await clean()).toEqual({ entfernt: 0 });
});
