/** In whatever order the calls of a run arrive, and however often: in the end the same is found of it, and told once. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { fuzzRuns } from '#test/fuzz.ts';
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
  vi.restoreAllMocks();
  await owner.close();
  await service.stop();
});

const FIGURES = `fenster_beginn, werte, trim_scale(kosten_eur)::text AS kosten, trim_scale(verbrannt_eur)::text AS verbrannt`;
const RULES = [
  ['schleife_exakt', { schwelle: '3' }],
  ['lauf_deckel', { schwelle: '4' }],
] as const;

async function newMandant(): Promise<Protected> {
  const mandant = await createProtected(service, owner);
  for (const [typ, change] of RULES) await mandant.addRule(typ, { stufe: 'anhalten', ...change });
  return mandant;
}

/** What holds in the end, and how many alarms and interventions in force there are for each finding. */
async function outcome(ours: Protected) {
  // A run that was looked at rests: the batch would look at it later.
  const found = await ours.rows(
    `(SELECT * FROM befunde WHERE status <> 'hinfaellig') AS befunde`,
    `typ, ${FIGURES}`,
  );
  const [burnt] = await ours.rows('laeufe', 'trim_scale(sum(verbranntes_geld_eur))::text AS eur, 1');
  return { found, burnt: burnt?.eur };
}

const monotonic = performance.now.bind(performance);
let passed = 0;
/** As if the rests of a run that was looked at, and of one whose calls came out of order, were over. */
async function letRestsEnd(): Promise<void> {
  passed += 60_000;
  vi.spyOn(performance, 'now').mockImplementation(() => monotonic() + passed);
  await service.sql(`UPDATE befunde SET geaendert_am = now() - interval '1 minute'`);
}

/** The calls in some order, cut into batches, some of them sent once more. */
const arrivals = fc.array(fc.nat(7), { minLength: 4, maxLength: 12 }).map((order) => [...order]);

test('late, repeated and out of order calls change a finding, and never add one', async () => {
  await fc.assert(
    fc.asyncProperty(arrivals, async (order) => {
      const { calls } = equalCalls(8);
      const all = [...order, ...calls.keys()];
      const [inOrder, mixed] = [await newMandant(), await newMandant()];
      await inOrder.send(calls);
      await inOrder.settle();
      for (const place of all) {
        await mixed.send([calls[place] as object]);
        await letRestsEnd();
        await mixed.settle();
      }
      const expected = await outcome(inOrder);
      expect(expected.found).toHaveLength(RULES.length);
      expect(await outcome(mixed)).toEqual(expected);
      expect(await mixed.rows('befunde', 'typ, status')).toHaveLength(RULES.length);
      // A finding that grows to twice as much raises one alarm more.
      const told = await mixed.rows('alarme', 'pfad, art');
      expect(new Set(told.map(({ pfad }) => pfad)).size).toBe(RULES.length);
      expect(told.length).toBeLessThanOrEqual(2 * RULES.length);
      expect(await mixed.rows('eingriffe', 'stufe, befund_id')).toHaveLength(RULES.length);
    }),
    { numRuns: fuzzRuns(4), seed: 20_261_123, endOnFailure: true },
  );
});
