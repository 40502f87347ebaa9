import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDetectorBench, type DetectorBench } from '#test/detector-bench.ts';
import { ruleOf } from '#test/detectors/rules.ts';
import type { Look } from '../detector.ts';
import { detect } from '../detectors.ts';
import { loadRuns, loadSteps } from './load.ts';

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

test('each run is in one part, with all its steps', async () => {
  const { mandantId, send } = await bench.newSender();
  const at = (minutes: number) => bench.end.subtract({ minutes }).toString();
  const runs = Array.from({ length: 40 }, () => randomUUID());
  // Half of them began before the window.
  const calls = runs.flatMap((lauf_id, index) =>
    [index % 2 === 0 ? 30 * 60 : 20, 10, 5].map((minutes) => ({
      agent: 'a',
      lauf_id,
      zeitpunkt: at(minutes),
    })),
  );
  await send(calls);
  await bench.owner.transaction(async (client) => {
    const von = bench.end.subtract({ hours: 24 });
    const look: Look = { client, mandant: mandantId, zone: 'Europe/Berlin', von, bis: bench.end };
    const rule = ruleOf('lauf_deckel', { schwelle: '2' });
    const found: string[] = [];
    let steps = 0;
    for (let nr = 0; nr < 4; nr += 1) {
      const part = { ...look, part: { nr, of: 4 } };
      const loaded = await loadSteps(part);
      const objects = (await detect(part, rule)).map(({ objekt }) => objekt);
      expect(loaded).toBe(3 * objects.length);
      expect(objects.length).toBeLessThan(runs.length);
      steps += loaded;
      found.push(...objects);
    }
    expect(found.sort()).toEqual(runs.sort());
    expect(await loadSteps(look)).toBe(steps);
  });
});
