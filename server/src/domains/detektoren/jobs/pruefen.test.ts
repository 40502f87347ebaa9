import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createDetectorBench, type DetectorBench } from '#test/detector-bench.ts';
import { addRule, ruleOf } from '#test/detectors/rules.ts';
import type { Candidate } from '../candidate.ts';
import { pruefenJobs } from './pruefen.ts';

let bench: DetectorBench;
beforeAll(async () => {
  bench = await createDetectorBench();
});
afterAll(() => bench?.stop());

test('looks at everybody every five minutes, and tells what it came to', async () => {
  const zeitpunkt = bench.end.subtract({ minutes: 5 }).toString();
  for (let account = 0; account < 2; account += 1) {
    const { mandantId, send } = await bench.newSender();
    await addRule(bench.service, mandantId, ruleOf('preis_fehlt'));
    await send([{ zeitpunkt, agent: 'a', modell: 'gibt-es-nicht', eingabe_token: 5, ausgabe_token: 5 }]);
  }
  const found: Candidate[] = [];
  const now = new Date(bench.end.epochMilliseconds);
  const { log } = bench.service.context;
  const [job] = pruefenJobs(
    { owner: bench.owner, log, clock: { now: () => now } },
    createPriceList(),
    async (_client, _mandant, all) => {
      found.push(...all);
    },
  );
  expect(job.schedule?.cron).toBe('*/5 * * * *');
  await expect(job.run()).resolves.toEqual({ mandanten: 2, regeln: 2, befunde: 2, fehlgeschlagen: 0 });
  for (const { objektArt, objekt, kostenEur, werte } of found) {
    expect([objektArt, objekt, kostenEur]).toEqual(['modell', 'gibt-es-nicht', null]);
    expect(werte).toEqual({ agenten: ['a'], aufrufe: 1, anbieter: [''], bis: zeitpunkt });
  }
});
