/** The same plan begun anew in runs of its own, and what only looks like it. */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { recordFindings } from '#domains/befunde/index.ts';
import { RunMemory } from '#domains/laeufe/index.ts';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker, createMarkConsumer } from '#domains/zaehlung/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { ruleOf } from '#test/detectors/rules.ts';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls, type Protected } from '#test/protection.ts';
import { startService, type TestService } from '#test/service.ts';
import type { RecordFindings } from '../candidate.ts';
import { createLookout } from '../owner/on-marks.ts';
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

const SECOND = 1_000;
const STEPS = 6;
/** What tools answer is another thing each time. */
const print = () => randomUUID().replaceAll('-', '').slice(0, 16);

interface Series {
  runs?: number;
  /** From the last call of a run to the first of the next. */
  pause?: number;
  agent?: string;
  /** What is different, by run and step from 0. */
  change?: (run: number, step: number) => object;
}

/** Runs of one agent after the other, of six steps each, every one with another tool, that end in the midst of their work. */
function series({
  runs = 3,
  pause = 7 * SECOND,
  agent = 'ablauf/abgleich',
  change = () => ({}),
}: Series = {}) {
  const begin = Date.now() - 600 * SECOND;
  const length = (STEPS - 1) * SECOND + pause;
  return Array.from({ length: runs }, (_, run) =>
    equalCalls(STEPS, { agent, begin: begin + run * length }, (step) => ({
      eingabe_token: 100_000,
      cache_lese_token: 0,
      prompt_fingerabdruck: step === 0 ? '00000000000000ff' : print(),
      werkzeug_fingerabdruck: `000000000000000${step}`,
      ...change(run, step),
    })),
  );
}

/** Sends the runs one after the other; resolves with their ids. */
async function send(all: ReturnType<typeof series>): Promise<string[]> {
  for (const { calls } of all) {
    await ours.send(calls);
    await ours.settle();
  }
  return all.map(({ lauf }) => lauf);
}

const FOUND = `objekt, stufe, werte->>'laeufe_anzahl' AS laeufe, werte->'schritte' AS schritte, kosten_eur::text AS eur, verbrannt_eur`;
const found = () => ours.rows('befunde', FOUND);
const lookAgain = () => {
  const { log } = service.context;
  const record: RecordFindings = (client, mandant, candidates, now) =>
    recordFindings(client, mandantId(mandant), candidates, now);
  return runDetectors({ owner, prices: createPriceList(), log, record }, new Date());
};

test('is found with the third run, while it goes on, and burns nothing', async () => {
  await ours.addRule('neustart', { stufe: 'anhalten' });
  const all = series();
  const runs = await send(all.slice(0, 2));
  expect(await found()).toEqual([]);
  const [third] = await send([{ ...all[2], calls: all[2]?.calls.slice(0, 5) } as (typeof all)[0]]);
  const steps = { schritte: [1, 2, 3, 4, 5], laeufe: '3', verbrannt_eur: null };
  expect(await found()).toMatchObject([{ objekt: third, stufe: 'anhalten', ...steps }]);
  expect(await ours.rows('eingriffe', 'stufe, objekt')).toEqual([{ stufe: 'anhalten', objekt: third }]);
  const [costs] = await ours.rows(
    'laeufe',
    'sum(kosten_eur)::text AS eur, sum(verbranntes_geld_eur)::text AS burnt',
  );
  expect(await found()).toMatchObject([{ eur: costs?.eur }]);
  expect(costs?.burnt).toBe('0');
  expect(runs).not.toContain(third);
});

test.each([[[0, 2, 1]], [[1, 2, 0]], [[2, 1, 0]]])(
  'is found with the run that came last, in whichever order they come: %j',
  async (order) => {
    await ours.addRule('neustart');
    const all = series();
    await send(order.slice(0, 2).map((run) => all[run] as (typeof all)[0]));
    expect(await found()).toEqual([]);
    await send(order.slice(2).map((run) => all[run] as (typeof all)[0]));
    expect(await found()).toMatchObject([{ objekt: all[2]?.lauf, laeufe: '3' }]);
  },
);

test('is found by one that has long seen all runs, and reads none that begins like no other', async () => {
  await ours.addRule('neustart');
  const { log } = service.context;
  const runs = new RunMemory(2 ** 20);
  let at = Date.now() - 3_600 * SECOND;
  const lookOut = createLookout({ log, now: () => new Date(at), runs });
  const read = new Set<string>();
  const handlers = [
    (client: pg.PoolClient, marks: Parameters<typeof lookOut>[1]) =>
      lookOut(
        new Proxy(client, {
          get: (of, name) =>
            name === 'query'
              ? (text: unknown, values?: unknown[]) => {
                  if (String(text).includes('INSERT INTO detektoren_laeufe'))
                    for (const run of (values?.[1] ?? []) as string[]) read.add(run);
                  return of.query(text as string, values);
                }
              : Reflect.get(of, name),
        }),
        marks,
      ),
  ];
  const settle = async () => {
    const counting = { db: owner, log, prices: createPriceList(), substituteRate: '0.5', runs };
    await createCountingWorker(counting).drain();
    await createMarkConsumer({ db: owner, log, handlers }).drain();
  };
  await ours.send(equalCalls(1).calls);
  await settle();
  at = Date.now();
  const others = series({
    runs: 4,
    change: (_, step) => (step ? {} : { prompt_fingerabdruck: `a${print().slice(1)}` }),
  });
  const all = series();
  for (const { calls } of [...others, ...all]) {
    await ours.send(calls);
    await settle();
  }
  expect(read).toEqual(new Set(all.slice(1).map(({ lauf }) => lauf)));
  expect(await found()).toMatchObject([{ objekt: all[2]?.lauf, laeufe: '3' }]);
});

test('is found where each run fails, and by the batch where calls come all at once', async () => {
  await ours.addRule('neustart');
  const all = series({
    change: (_, step) => (step === STEPS - 1 ? { status: 'fehler', werkzeug_fingerabdruck: null } : {}),
  });
  for (const { calls } of all.toReversed()) await ours.send(calls);
  await ours.settle();
  await lookAgain();
  expect(await found()).toMatchObject([{ objekt: all[2]?.lauf, stufe: 'warnen', laeufe: '3' }]);
});

describe('is no restart:', () => {
  const last = (step: number) => step === STEPS - 1;
  test.each<[string, Series]>([
    [
      'runs that answer: a poller, a report, an evaluation',
      { change: (_, step) => (last(step) ? { werkzeug_fingerabdruck: null, werkzeugaufrufe: 0 } : {}) },
    ],
    [
      'runs that a person aborts',
      { change: (_, step) => (last(step) ? { status: 'abgebrochen', werkzeug_fingerabdruck: null } : {}) },
    ],
    [
      'rows of a list: other prompts',
      { change: (run, step) => (step ? {} : { prompt_fingerabdruck: `00000000000000a${run}` }) },
    ],
    [
      'other tools on the way',
      { change: (run, step) => (step === 3 ? { werkzeug_fingerabdruck: `00000000000000b${run}` } : {}) },
    ],
    ['a cron job that takes nearly all of its minute', { runs: 6, pause: 55 * SECOND }],
    ['a person who asks again', { runs: 6, pause: 41 * SECOND }],
    ['many users who ask alike, one after the other', { change: (run) => ({ benutzer_ref: `u-${run}` }) }],
    ['many end customers who ask alike', { change: (run) => ({ endkunde_ref: `K-${run}` }) }],
    ['side by side: samples', { runs: 6, pause: -3 * SECOND }],
    ['said to be on purpose', { change: () => ({ zusatz: { wiederholung_gewollt: true } }) }],
    [
      'without fingerprints',
      { change: () => ({ prompt_fingerabdruck: null, werkzeug_fingerabdruck: null }) },
    ],
  ])('%s', async (_, what) => {
    await ours.addRule('neustart', what.pause === 55 * SECOND ? { parameter: { pause_sekunden: 60 } } : {});
    await send(series(what));
    await lookAgain();
    expect(await found()).toEqual([]);
  });

  test('of an agent, or of a function, that the rule leaves out', async () => {
    await ours.addRule('neustart', { parameter: { ausnahmen: ['ablauf/*', 'abgleich'] } });
    await send(series());
    await send(series({ agent: 'b', change: () => ({ funktion_ref: 'abgleich' }) }));
    await lookAgain();
    expect(await found()).toEqual([]);
    await send(series({ agent: 'b' }));
    expect(await found()).toHaveLength(1);
  });

  test('of another Mandant', async () => {
    const all = series();
    await send(all.slice(0, 2));
    ours = await createProtected(service, owner);
    await ours.addRule('neustart');
    await send(all.slice(2));
    await lookAgain();
    expect(await found()).toEqual([]);
  });
});

test('an answer in between begins a new count', async () => {
  await ours.addRule('neustart');
  const answered = (run: number, step: number) => run === 1 && step === STEPS - 1;
  const all = series({
    runs: 5,
    change: (run, step) => (answered(run, step) ? { werkzeug_fingerabdruck: null } : {}),
  });
  await send(all.slice(0, 4));
  expect(await found()).toEqual([]);
  await send(all.slice(4));
  expect(await found()).toMatchObject([{ objekt: all[4]?.lauf, laeufe: '3' }]);
});

test('a look back finds each run from the third on, and what would not have been called', async () => {
  await send(series({ runs: 4 }));
  const bis = Temporal.Now.plainDateISO('Europe/Berlin').add({ days: 1 });
  const days = { zone: 'Europe/Berlin', von: bis.subtract({ days: 3 }), bis };
  const back = await lookBack(
    { owner, prices: createPriceList() },
    mandantId(ours.mandant),
    { regel: ruleOf('neustart', { stufe: 'anhalten' }), ...days },
    async () => true,
  );
  // One call is left of each.
  expect(back).toMatchObject({ befunde: 2, aufrufe_gespart: 2, verbrannt_eur: null });
});
