import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordFindings } from '#domains/befunde/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { ruleOf } from '#test/detectors/rules.ts';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls, type Protected } from '#test/protection.ts';
import { startService, type TestService } from '#test/service.ts';
import type { RecordFindings } from '../candidate.ts';
import { lookBack } from '../owner/rueckblick.ts';
import { runDetectors } from '../owner/run-detectors.ts';

let service: TestService;
let owner: ReturnType<typeof ownerOf>;
let ours: Protected;
beforeAll(async () => {
  service = await startService();
  owner = ownerOf(service);
});
afterAll(async () => {
  await owner.close();
  await service.stop();
});
beforeEach(async () => {
  ours = await createProtected(service, owner);
});

const found = () => ours.rows('befunde', "objekt, stufe, werte->>'tiefe' AS tiefe");

/** Sends two calls of a run each, every run begun from the one before; resolves with the runs. */
async function chain(agents: string[], first: string | null = null): Promise<string[]> {
  const runs: string[] = first === null ? [] : [first];
  for (const agent of agents) {
    const lauf = randomUUID();
    const from = runs.at(-1);
    await ours.send(
      equalCalls(2, { lauf, agent }, (place) => ({
        prompt_fingerabdruck: `000000000000${place}${runs.length}ff`,
        ...(from === undefined ? {} : { zusatz: { eltern_lauf: from } }),
      })).calls,
    );
    runs.push(lauf);
  }
  await ours.settle();
  return runs;
}

test('an agent that begins runs of its own again and again is stopped with the fourth, with any runs between', async () => {
  await ours.addRule('rekursion', { stufe: 'anhalten' });
  await chain(['schwarm', 'schwarm', 'schwarm']);
  expect(await found()).toEqual([]);
  const runs = await chain(['team/a', 'team/b', 'team/a', 'team/b', 'team/a', 'team/b', 'team/a']);
  expect(await found()).toEqual([{ objekt: runs[6], stufe: 'anhalten', tiefe: '4' }]);
  expect(await ours.rows('eingriffe', 'stufe, objekt')).toEqual([{ stufe: 'anhalten', objekt: runs[6] }]);
});

test('agents that begin runs of others, and runs that name themselves, none or nobody as their beginning, are no recursion', async () => {
  await ours.addRule('rekursion', { schwelle: '2' });
  await chain(['leitung', 'leser', 'pruefer']);
  const self = randomUUID();
  for (const from of [self, randomUUID(), 'keiner'])
    await ours.send(equalCalls(2, { lauf: self }, () => ({ zusatz: { eltern_lauf: from } })).calls);
  await ours.settle();
  expect(await found()).toEqual([]);
});

test('an agent that a rule leaves out may', async () => {
  await ours.addRule('rekursion', { schwelle: '2', parameter: { ausnahmen: ['baum/*'] } });
  await chain(['baum/teiler', 'baum/teiler', 'baum/teiler']);
  expect(await found()).toEqual([]);
});

test('what was begun by another Mandant is none of it', async () => {
  const theirs = ours;
  await theirs.addRule('rekursion', { schwelle: '2' });
  const [, last] = await chain(['a', 'a']);
  expect(await found()).toHaveLength(1);
  ours = await createProtected(service, owner);
  await ours.addRule('rekursion', { schwelle: '2' });
  await chain(['a'], last ?? null);
  expect(await found()).toEqual([]);
});

const told = () =>
  ours.rows(
    'befunde',
    "objekt, stufe, kosten_eur::text, werte->>'laeufe_anzahl' AS laeufe, werte->>'aufrufe' AS aufrufe",
  );

test('a run is stopped that costs too much with all that was begun from it, whichever of them calls', async () => {
  await ours.addRule('baum_deckel', { stufe: 'anhalten', schwelle: '0.5' });
  // Two calls of 0.075 EUR each.
  const [root, child] = await chain(['leitung', 'leser', 'pruefer']);
  expect(await told()).toEqual([]);
  await chain(['leser'], root);
  const finding = { objekt: root, stufe: 'anhalten', laeufe: '4', aufrufe: '8' };
  expect(await told()).toMatchObject([finding]);
  expect(await ours.rows('eingriffe', 'stufe, objekt_art, objekt')).toEqual([
    { stufe: 'anhalten', objekt_art: 'lauf', objekt: root },
  ]);
  // What goes on is the same finding.
  await chain(['leser'], child);
  expect(await told()).toHaveLength(1);
});

test('a run may begin a number of others, and no more; where the one that calls is none of the rule, the batch finds it', async () => {
  const [root] = await chain(['leitung', 'leser', 'pruefer', 'leser']);
  const [leitung] = await service.sql<{ agent_id: string }>(
    "SELECT agent_id FROM agenten WHERE mandant_id = $1 AND schluessel = 'leitung'",
    [ours.mandant],
  );
  await ours.addRule('baum_deckel', {
    schwelle: '4',
    einheit: 'laeufe',
    geltungsbereich: 'agent',
    bezug_id: leitung?.agent_id,
  });
  await chain(['pruefer'], null);
  expect(await told()).toEqual([]);
  await chain(['leser'], root);
  expect(await told()).toEqual([]);
  const { log } = service.context;
  const record: RecordFindings = (client, mandant, candidates, now) =>
    recordFindings(client, mandantId(mandant), candidates, now);
  await runDetectors({ owner, prices: createPriceList(), log, record }, new Date());
  expect(await told()).toMatchObject([{ objekt: root, laeufe: '5', aufrufe: '10' }]);
});

test('runs of another Mandant that name a run of ours are none of its tree', async () => {
  const [root] = await chain(['leitung', 'leser']);
  const first = ours;
  ours = await createProtected(service, owner);
  await chain(['leser', 'leser'], root);
  ours = first;
  await ours.addRule('baum_deckel', { schwelle: '2', einheit: 'laeufe' });
  await chain(['leser'], root);
  expect(await told()).toMatchObject([{ objekt: root, laeufe: '3' }]);
});

test('a look back finds a tree once, on the day on which its root ended', async () => {
  const [root, child] = await chain(['leitung', 'leser']);
  await chain(['leser'], child);
  await chain(['leser'], root);
  const rule = (schwelle: string) => ruleOf('baum_deckel', { schwelle, stufe: 'anhalten' });
  const lookBackWith = async (schwelle: string) => {
    const bis = Temporal.Now.plainDateISO('Europe/Berlin').add({ days: 1 });
    const days = { zone: 'Europe/Berlin', von: bis.subtract({ days: 3 }), bis };
    const context = { owner, prices: createPriceList() };
    return lookBack(context, mandantId(ours.mandant), { regel: rule(schwelle), ...days }, async () => true);
  };
  expect((await lookBackWith('0.5'))?.befunde).toBe(1);
  expect((await lookBackWith('0.6'))?.befunde).toBe(0);
});
