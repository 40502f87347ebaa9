import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDetectorBench, type DetectorBench } from '#test/detector-bench.ts';
import { ruleOf } from '#test/detectors/rules.ts';
import type { Look } from '../detector.ts';
import { detect } from '../detectors.ts';
import { loadRuns } from './load.ts';

let bench: DetectorBench;
beforeAll(async () => {
  bench = await createDetectorBench();
});
afterAll(() => bench?.stop());

test('what was loaded of one Mandant is gone when the next one is looked at in the same transaction', async () => {
  // Ids of runs are the senders': two Mandanten may have the same.
  const lauf_id = '33333333-0000-4000-8000-000000000003';
  const zeitpunkt = bench.end.subtract({ minutes: 5 }).toString();
  const senders = [await bench.newSender(), await bench.newSender()];
  for (const [index, { send }] of senders.entries())
    await send(Array.from({ length: 2 + index }, () => ({ agent: `agent-${index}`, lauf_id, zeitpunkt })));
  await bench.owner.transaction(async (client) => {
    for (const [index, { mandantId }] of senders.entries()) {
      const von = bench.end.subtract({ hours: 24 });
      const look: Look = { client, mandant: mandantId, zone: 'Europe/Berlin', von, bis: bench.end };
      expect(await loadRuns(look, [lauf_id])).toBe(2 + index);
      const found = await detect(look, ruleOf('modell_verboten', { parameter: { erlaubt: [] } }));
      expect(found).toEqual([]);
      expect(await detect(look, ruleOf('lauf_deckel', { schwelle: '1' }))).toMatchObject([
        { agent: `agent-${index}`, werte: { aufrufe: 2 + index } },
      ]);
    }
  });
});
