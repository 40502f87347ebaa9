import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordFindings } from '#domains/befunde/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls, type Protected } from '#test/protection.ts';
import { startService, type TestService } from '#test/service.ts';
import type { RecordFindings } from '../candidate.ts';
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

const found = () => ours.rows('befunde', 'typ, objekt_art, objekt, stufe');
/** Attempts that fail, each in a run of its own. */
const attempts = (count: number, more: object = {}, from = 0) =>
  equalCalls(count, { begin: Date.now() - 40_000 + 1_000 * from }, () => ({
    lauf_id: randomUUID(),
    status: 'fehler',
    ...more,
  })).calls;

test('a storm of retries across runs is found as soon as it is counted, and slowed down', async () => {
  await ours.addRule('wiederholsturm', { stufe: 'drosseln', schwelle: '6' });
  await ours.send(attempts(5));
  await ours.settle();
  expect(await found()).toEqual([]);
  await ours.send(attempts(5, {}, 5));
  await ours.settle();
  expect(await found()).toEqual([
    { typ: 'wiederholsturm', objekt_art: 'agent', objekt: 'support/triage', stufe: 'drosseln' },
  ]);
  expect(await ours.rows('eingriffe', 'stufe, objekt')).toEqual([
    { stufe: 'drosseln', objekt: 'support/triage' },
  ]);
});

test('the batch finds the same storm, and no second one', async () => {
  await ours.addRule('wiederholsturm', { stufe: 'drosseln', schwelle: '6' });
  await ours.send(attempts(10));
  await ours.settle();
  const [before] = await ours.rows('befunde', 'schluessel, befund_id');
  const { log } = service.context;
  const record: RecordFindings = (client, mandant, candidates, now) =>
    recordFindings(client, mandantId(mandant), candidates, now);
  await runDetectors({ owner, prices: createPriceList(), log, record }, new Date());
  expect(await ours.rows('befunde', 'schluessel, befund_id')).toEqual([before]);
  expect(await ours.rows('eingriffe', 'stufe, objekt')).toHaveLength(1);
});

test('an outage that costs nothing is found by the number of its failures', async () => {
  await ours.addRule('fehlerbrand', { parameter: { mindest_fehler: 12 } });
  const refused = {
    eingabe_token: null,
    cache_lese_token: null,
    ausgabe_token: null,
    prompt_fingerabdruck: null,
  };
  await ours.send(attempts(11, refused));
  await ours.send(equalCalls(11).calls);
  await ours.settle();
  expect(await found()).toEqual([]);
  await ours.send(attempts(3, refused));
  await ours.settle();
  expect(await found()).toEqual([
    { typ: 'fehlerbrand', objekt_art: 'agent', objekt: 'support/triage', stufe: 'warnen' },
  ]);
});

test('a model that is not allowed is found with the first call, and the agent is blocked', async () => {
  await ours.addRule('modell_verboten', { stufe: 'sperren', parameter: { erlaubt: ['gpt-4o*'] } });
  const call = { modell: 'gpt-4o-mini', lauf_id: null };
  await ours.send(equalCalls(2, {}, () => call).calls);
  await ours.settle();
  expect(await found()).toEqual([]);
  const other = { ...call, modell: 'gpt-4' };
  await ours.send(equalCalls(1, { agent: 'andere' }, () => other).calls);
  await ours.settle();
  expect(await found()).toEqual([
    { typ: 'modell_verboten', objekt_art: 'agent', objekt: 'andere', stufe: 'sperren' },
  ]);
  expect(await ours.rows('eingriffe', 'stufe, objekt')).toEqual([{ stufe: 'sperren', objekt: 'andere' }]);
});

test('a rule in shadow mode, and an agent that does not fail, wait for the batch', async () => {
  await ours.addRule('wiederholsturm', { schattenbetrieb: true });
  await ours.addRule('fehlerbrand', { parameter: { mindest_fehler: 1, mindest_aufrufe: 1 } });
  await ours.send(equalCalls(30).calls);
  await ours.send(equalCalls(9, { agent: 'andere' }).calls);
  await ours.settle();
  expect(await found()).toEqual([]);
});
