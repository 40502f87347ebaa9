import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { hearChanges } from '#domains/eingriffe/index.ts';
import { RunMemory } from '#domains/laeufe/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { MEMORY } from '#platform/memory.ts';
import { putDefaults } from '#test/default-rules.ts';
import { expectFigures } from '#test/figures.ts';
import { ownerOf } from '#test/jobs.ts';
import { createProtected, equalCalls, type Protected } from '#test/protection.ts';
import { PATIENCE, startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { createTwinReader } from '#test/twin.ts';
import { createLookout, type Marked } from './on-marks.ts';

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

const inForce = async () =>
  (
    await service.app.inject({
      url: '/v1/eingriffe/aktiv',
      headers: { authorization: `Bearer ${ours.key}` },
    })
  ).json().eingriffe;
const burntOfRuns = async () =>
  (await ours.rows('laeufe', 'trim_scale(sum(verbranntes_geld_eur))::text AS eur, 1')).at(0)?.eur;

describe('a loop', () => {
  test('is found as soon as it is counted, stopped, told, and its repeats are burnt', async () => {
    await ours.addRule('schleife_exakt', { stufe: 'anhalten' });
    const { lauf, calls } = equalCalls(4);
    await ours.send(calls);
    await ours.settle();
    expect(await ours.rows('befunde', 'typ, lauf_id')).toEqual([]);
    await ours.send(equalCalls(1, { lauf, from: 4 }).calls);
    await ours.settle();
    expect(
      await ours.rows(
        'befunde',
        "typ, lauf_id, werte->>'anzahl' AS anzahl, trim_scale(verbrannt_eur)::text AS eur",
      ),
    ).toEqual([{ typ: 'schleife_exakt', lauf_id: lauf, anzahl: '5', eur: '0.15' }]);
    await vi.waitFor(
      async () =>
        expect(await inForce()).toMatchObject([{ stufe: 'anhalten', objekt_art: 'lauf', objekt: lauf }]),
      PATIENCE,
    );
    expect(await ours.rows('alarme', 'art, stufe')).toEqual([{ art: 'alarm', stufe: 'anhalten' }]);
    expect(await burntOfRuns()).toBe('0.15');
    const answer = await ours.send(equalCalls(1, { lauf, from: 5 }).calls);
    expect(answer.eingriffe).toMatchObject([{ objekt: lauf, stufe: 'anhalten' }]);
  });

  test('that goes on is the same finding, and what it burns is kept up to date', async () => {
    await ours.addRule('schleife_exakt');
    const { lauf, calls } = equalCalls(5);
    await ours.send(calls);
    await ours.settle();
    for (let from = 5; from < 11; from += 2) {
      await ours.send(equalCalls(2, { lauf, from }).calls);
      await ours.settle();
    }
    expect(
      await ours.rows('befunde', "typ, werte->>'anzahl' AS anzahl, trim_scale(verbrannt_eur)::text AS eur"),
    ).toEqual([{ typ: 'schleife_exakt', anzahl: '11', eur: '0.6' }]);
    expect(await burntOfRuns()).toBe('0.6');
    // Told with the fifth call, and again with the eleventh, at more than twice as many.
    expect(await ours.rows('alarme', 'art, stufe')).toHaveLength(2);
  });

  test('that a late call breaks is none after all: taken back, nothing burnt', async () => {
    await ours.addRule('schleife_exakt', { stufe: 'anhalten' });
    const { lauf, calls } = equalCalls(6, {}, (place) => (place >= 3 ? { schritt_nr: place + 2 } : {}));
    await ours.send(calls);
    await ours.settle();
    expect(await burntOfRuns()).toBe('0.225');
    const [other] = equalCalls(1, { lauf, from: 3 }, () => ({
      prompt_fingerabdruck: 'ffffffffffffff00',
    })).calls;
    await ours.send([other as object]);
    await ours.settle();
    expect(await ours.rows('befunde', 'status, typ')).toEqual([
      { status: 'hinfaellig', typ: 'schleife_exakt' },
    ]);
    expect(await burntOfRuns()).toBe('0');
    await vi.waitFor(async () => expect(await inForce()).toEqual([]), PATIENCE);
    expect(await ours.rows('alarme', 'art, stufe')).toEqual([
      { art: 'alarm', stufe: 'anhalten' },
      { art: 'entwarnung', stufe: 'anhalten' },
    ]);
  });

  test('sent again changes nothing', async () => {
    await ours.addRule('schleife_exakt');
    const { calls } = equalCalls(6);
    for (let time = 0; time < 3; time += 1) {
      await ours.send(calls);
      await ours.settle();
    }
    expect(await ours.rows('befunde', "typ, werte->>'anzahl' AS anzahl")).toEqual([
      { typ: 'schleife_exakt', anzahl: '6' },
    ]);
    expect(await burntOfRuns()).toBe('0.225');
  });

  test('of whom the rule does not hold for is none of its business', async () => {
    const elsewhere = equalCalls(1, { agent: 'anderer' }, () => ({ zusatz: { projekt: 'anderes' } }));
    await ours.send(elsewhere.calls);
    await ours.settle();
    await ours.addRule('schleife_exakt', { geltungsbereich: 'projekt', bezug_id: 'anderes' });
    await ours.send(equalCalls(6).calls);
    await ours.settle();
    expect(await ours.rows('befunde', 'typ, status')).toEqual([]);
    expect(await burntOfRuns()).toBe('0');
    const looping = equalCalls(5, { agent: 'anderer' }, () => ({ zusatz: { projekt: 'anderes' } }));
    await ours.send(looping.calls);
    await ours.settle();
    expect(await ours.rows('befunde', 'lauf_id, status')).toEqual([
      { lauf_id: looping.lauf, status: 'offen' },
    ]);
  });

  test('found in shadow mode burns money all the same, and stops nobody', async () => {
    await ours.addRule('schleife_exakt', { stufe: 'anhalten', schattenbetrieb: true });
    await ours.send(equalCalls(5).calls);
    await ours.settle();
    expect(await ours.rows('befunde', 'typ, schatten')).toEqual([{ typ: 'schleife_exakt', schatten: true }]);
    expect(await burntOfRuns()).toBe('0.15');
    await vi.waitFor(async () => expect(await inForce()).toEqual([]), PATIENCE);
  });
});

test.each([
  [
    'pingpong',
    8,
    (place: number) => ({
      werkzeug_fingerabdruck: place % 2 ? '000000000000000b' : '000000000000000a',
      prompt_fingerabdruck: null,
    }),
  ],
  [
    'schleife_nah',
    5,
    (place: number) => ({ prompt_fingerabdruck: `00000000000000${place % 2 ? 'ff' : 'fe'}` }),
  ],
  [
    'kontextwachstum',
    8,
    (place: number) => ({ eingabe_token: 1_000 + 2_000 * place, prompt_fingerabdruck: null }),
  ],
] as const)('%s is found with its last step', async (typ, count, change) => {
  await ours.addRule(typ);
  const { lauf, calls } = equalCalls(count, {}, change);
  await ours.send(calls.slice(0, -1));
  await ours.settle();
  expect(await ours.rows('befunde', 'typ, lauf_id')).toEqual([]);
  await ours.send(calls.slice(-1));
  await ours.settle();
  expect(await ours.rows('befunde', 'typ, lauf_id')).toEqual([{ typ, lauf_id: lauf }]);
});

test('a run with more calls than it may have blocks its agent', async () => {
  await ours.addRule('lauf_deckel', { schwelle: 3, einheit: 'aufrufe', stufe: 'sperren' });
  await ours.send(equalCalls(4, {}, (place) => ({ prompt_fingerabdruck: `000000000000000${place}` })).calls);
  await ours.settle();
  await vi.waitFor(
    async () =>
      expect(await inForce()).toMatchObject([
        { stufe: 'sperren', objekt_art: 'agent', objekt: 'support/triage' },
      ]),
    PATIENCE,
  );
});

/** When the local day ends, ISO 8601. */
const endOfDay = () =>
  Temporal.Now.zonedDateTimeISO('Europe/Berlin').startOfDay().add({ days: 1 }).toInstant().toString();

test('a limit over the last hours blocks until they have come down to it', async () => {
  await ours.addRule('kosten_grenze', { schwelle: '0.2', zeitfenster: '2h', stufe: 'sperren' });
  // The first of three calls drops out: two are allowed.
  const begin = Date.now() - 5 * 60_000;
  await ours.send(equalCalls(3, { begin }).calls);
  await ours.settle();
  const minute = Math.floor(begin / 60_000) * 60_000;
  const bis = new Date(minute + 121 * 60_000).toISOString().replace('.000', '');
  await vi.waitFor(async () => expect(await inForce()).toMatchObject([{ bis }]), PATIENCE);
});

test('a limit that is armed blocks at once to the end of the day, one in shadow mode waits for the next batch', async () => {
  await ours.addRule('kosten_grenze', { schwelle: '0.2', zeitfenster: 'tag', stufe: 'sperren' });
  await ours.addRule('kosten_grenze', { schwelle: '0.1', zeitfenster: 'tag', schattenbetrieb: true });
  const begin = Date.now();
  await ours.send(equalCalls(2, { begin }).calls);
  await ours.settle();
  await vi.waitFor(async () => expect(await inForce()).toEqual([]), PATIENCE);
  await ours.send(equalCalls(1, { begin, from: 2 }).calls);
  await ours.settle();
  await vi.waitFor(
    async () =>
      expect(await inForce()).toMatchObject([
        { stufe: 'sperren', objekt_art: 'mandant', objekt: '', agent: null, bis: endOfDay() },
      ]),
    PATIENCE,
  );
  expect(await ours.rows('befunde', "typ, werte->>'wert' AS wert")).toEqual([
    { typ: 'kosten_grenze', wert: '0.225' },
  ]);
});

test('a budget that is spent blocks its agent until the month ends', async () => {
  await ours.addRule('budget_schwelle', { stufe: 'sperren' });
  await ours.send(equalCalls(1, {}, () => ({ prompt_fingerabdruck: null })).calls);
  await ours.settle();
  const [agent] = await ours.rows('agenten', 'agent_id, schluessel');
  const set = await service.app.inject({
    method: 'PUT',
    url: `/v1/cockpit/agenten/${agent?.agent_id}/budget`,
    headers: { cookie: ours.account.cookie },
    payload: { betrag_eur: '0.2' },
  });
  expect(set.statusCode).toBe(200);
  await ours.send(equalCalls(2, { begin: Date.now() - 2_000 }, () => ({ prompt_fingerabdruck: null })).calls);
  await ours.settle();
  await vi.waitFor(
    async () =>
      expect(await inForce()).toMatchObject([
        { stufe: 'sperren', objekt_art: 'agent', objekt: 'support/triage', bis: expect.any(String) },
      ]),
    PATIENCE,
  );
  expect(await ours.rows('befunde', "stufe, werte->>'schwelle_prozent' AS prozent")).toEqual([
    { stufe: 'sperren', prozent: '100' },
    { stufe: 'warnen', prozent: '50' },
    { stufe: 'warnen', prozent: '80' },
  ]);
  // Raised, it lets the agent go at once.
  await service.app.inject({
    method: 'PUT',
    url: `/v1/cockpit/agenten/${agent?.agent_id}/budget`,
    headers: { cookie: ours.account.cookie },
    payload: { betrag_eur: '10' },
  });
  await vi.waitFor(async () => expect(await inForce()).toEqual([]), PATIENCE);
});

test.each([
  ['funktion', 'angebot', { funktion_ref: 'angebot' }],
  ['benutzer', 'u-17', { benutzer_ref: 'u-17' }],
  ['endkunde', 'K-1', { endkunde_ref: 'K-1' }],
])(
  'the budget of one %s blocks by itself, without any rule, and tells whose it is',
  async (art, objekt, said) => {
    const set = (payload: object) =>
      service.app.inject({
        method: 'PUT',
        url: '/v1/cockpit/budgets',
        headers: { cookie: ours.account.cookie },
        payload: { objekt_art: art, objekt, ...payload },
      });
    await ours.send(equalCalls(1, {}, () => said).calls);
    await ours.settle();
    expect((await set({ betrag_eur: '0.2', bei_erreichen: 'sperren' })).statusCode).toBe(200);
    await ours.send(equalCalls(3).calls);
    await ours.settle();
    expect(await ours.rows('befunde', 'typ, stufe')).toEqual([]);
    await ours.send(equalCalls(2, { begin: Date.now() - 2_000 }, () => said).calls);
    await ours.settle();
    await vi.waitFor(
      async () =>
        expect(await inForce()).toMatchObject([
          { stufe: 'sperren', objekt_art: art, objekt, agent: null, bis: expect.any(String) },
        ]),
      PATIENCE,
    );
    expect(await ours.rows('befunde', 'typ, stufe, regel_id, objekt_art, objekt')).toEqual([
      { typ: 'budget_schwelle', stufe: 'sperren', regel_id: null, objekt_art: art, objekt },
    ]);
    expect(await ours.rows('alarme', 'art, stufe')).toEqual([{ art: 'alarm', stufe: 'sperren' }]);
  },
);

test('the limits a Mandant begins with: a run that costs too much is stopped, an agent in an hour is a finding', async () => {
  await putDefaults(service.context, mandantId(ours.mandant));
  const set = await service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/regeln/geldgrenzen',
    headers: { cookie: ours.account.cookie },
    payload: { lauf_eur: '0.2', agent_stunde_eur: '0.1', tag_eur: null },
  });
  expect(set.statusCode, set.body).toBe(200);
  const { lauf, calls } = equalCalls(3, { begin: Date.now() - 3_000 }, (place) => ({
    prompt_fingerabdruck: null,
    eingabe_token: 1_000_000 + place,
  }));
  await ours.send(calls);
  await ours.settle();
  expect(await ours.rows('befunde', 'typ, stufe, objekt_art, objekt, schatten')).toEqual([
    { typ: 'kosten_grenze', stufe: 'warnen', objekt_art: 'agent', objekt: 'support/triage', schatten: false },
    { typ: 'lauf_deckel', stufe: 'anhalten', objekt_art: 'lauf', objekt: lauf, schatten: false },
  ]);
  await vi.waitFor(
    async () => expect(await inForce()).toMatchObject([{ stufe: 'anhalten', objekt: lauf }]),
    PATIENCE,
  );
});

/** Notices about what is in force, from now on. */
async function hear() {
  const heard: string[] = [];
  const hearing = Promise.withResolvers<void>();
  const { requests, context } = service;
  const forget = (mandant: string) => heard.push(mandant);
  const { stop } = hearChanges({ forget, hear: () => hearing.resolve() }, requests, context.log);
  await hearing.promise;
  return { heard, stop };
}

test('calls that come after an order are a finding of their own, counted on the order', async () => {
  await ours.addRule('schleife_exakt', { stufe: 'anhalten' });
  const { lauf, calls } = equalCalls(5);
  await ours.send(calls);
  await ours.settle();
  await service.sql(`UPDATE eingriffe SET beginn = now() - interval '1 minute' WHERE mandant_id = $1`, [
    ours.mandant,
  ]);
  const notices = await hear();
  const late = equalCalls(2, { lauf, begin: Date.now() - 6_000, from: 5 }).calls;
  await ours.send(late);
  await ours.settle();
  expect(await ours.rows('eingriffe', 'stufe, missachtet::int')).toEqual([
    { stufe: 'anhalten', missachtet: 2 },
  ]);
  // The order lasts longer than processes know.
  await expect.poll(() => notices.heard).toContain(ours.mandant);
  await notices.stop();
  const found = await ours.rows('befunde', 'typ, werte');
  const disobeyed = found.find(({ typ }) => typ === 'eingriff_missachtet')?.werte as Record<string, unknown>;
  expect(disobeyed.aufrufe).toBe(2);
  expectFigures('eingriff_missachtet', disobeyed);
});

test('a rule that cannot be looked at holds up neither the other rules nor what comes later', async () => {
  await ours.addRule('schleife_nah');
  await ours.addRule('kosten_grenze', { schwelle: '0.2', zeitfenster: 'tag', stufe: 'sperren' });
  await service.sql(
    `UPDATE regeln SET parameter = parameter || '{"schritte": "viele"}' WHERE mandant_id = $1 AND typ = 'schleife_nah'`,
    [ours.mandant],
  );
  await ours.send(equalCalls(5).calls);
  await ours.settle();
  expect(await ours.rows('befunde', 'typ, status')).toEqual([{ typ: 'kosten_grenze', status: 'offen' }]);
  expect(await ours.rows('zaehlmarken', 'nummer, tage')).toEqual([]);
});

test('a loop that a late call breaks is taken back even where another rule cannot be looked at', async () => {
  await ours.addRule('schleife_exakt');
  const { lauf, calls } = equalCalls(6, {}, (place) => (place >= 3 ? { schritt_nr: place + 2 } : {}));
  await ours.send(calls);
  await ours.settle();
  expect(await burntOfRuns()).toBe('0.225');
  await ours.addRule('schleife_nah');
  await service.sql(
    `UPDATE regeln SET parameter = parameter || '{"schritte": "viele"}' WHERE mandant_id = $1 AND typ = 'schleife_nah'`,
    [ours.mandant],
  );
  const other = () => ({ prompt_fingerabdruck: 'ffffffffffffff00' });
  await ours.send([...equalCalls(1, { lauf, from: 3 }, other).calls, ...equalCalls(5).calls]);
  await ours.settle();
  // The loop of the other run waits for the next batch.
  expect(await burntOfRuns()).toBe('0');
});

describe('of several Mandanten at once', () => {
  const typesOf = (whose: Protected) => whose.rows('befunde', 'typ, status');
  /** With another one that has the same rule; both have a loop that is counted, and marks that nobody has taken. */
  const withAnother = async () => {
    const theirs = await createProtected(service, owner);
    for (const each of [ours, theirs]) {
      await each.addRule('schleife_exakt');
      await each.send(equalCalls(5).calls);
    }
    await countAll(service);
    return theirs;
  };
  const marksOf = (...all: Protected[]): Promise<Marked[]> =>
    service.sql(
      'SELECT mandant_id AS mandant, nummer::int, merkmale, schluessel, agenten, aufrufe_am::text[], kosten::float8[], laeufe::text[], gedaechtnis FROM zaehlmarken WHERE mandant_id = ANY ($1)',
      [all.map(({ mandant }) => mandant)],
    );
  /** Looks at marks; `instead` has another statement run in place of one that is asked. */
  const look = (marks: Marked[], instead: (text: string, values: unknown[]) => string | null) =>
    owner.transaction((client) => {
      const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
      const watched = (asked: string | object, values?: unknown[]) => {
        const other = typeof asked === 'string' ? instead(asked, values ?? []) : null;
        return other ? query(other) : query(asked, values);
      };
      const { log } = service.context;
      const runs = new RunMemory(MEMORY.runs);
      const lookOut = createLookout({ log, now: service.clock.now, runs });
      return lookOut({ ...client, query: watched } as unknown as typeof client, marks);
    });

  test('each has its own found, whatever the others have', async () => {
    const theirs = await withAnother();
    const without = await createProtected(service, owner);
    await without.send(equalCalls(5).calls);
    await ours.settle();
    for (const each of [ours, theirs])
      expect(await typesOf(each)).toEqual([{ typ: 'schleife_exakt', status: 'offen' }]);
    expect(await typesOf(without)).toEqual([]);
  });

  test('one that cannot be asked about holds up none of the others', async () => {
    const theirs = await withAnother();
    const asked: unknown[] = [];
    await look(await marksOf(ours, theirs), (text, [mandanten]) => {
      if (!text.includes('b.typ = ANY ($3::text[])')) return null;
      asked.push(mandanten);
      return String(mandanten).includes(theirs.mandant) ? 'SELECT 1 / 0' : null;
    });
    expect(asked).toHaveLength(3);
    // Nor what else there is to be seen of it.
    for (const each of [ours, theirs])
      expect(await typesOf(each)).toEqual([{ typ: 'schleife_exakt', status: 'offen' }]);
  });

  const RUN =
    'agent, projekt, status, beginn, ende, aufrufe, fehler, unbepreist, eingabe_token, ausgabe_token, cache_lese_token, verbranntes_geld_eur';
  test('of many runs that are not remembered some are read at a time', async () => {
    const theirs = await withAnother();
    const { lauf, calls } = equalCalls(2);
    await theirs.send(calls);
    await countAll(service);
    await service.sql(
      `INSERT INTO laeufe (mandant_id, lauf_id, ${RUN}) SELECT mandant_id, md5(n::text)::uuid, ${RUN}
       FROM laeufe, generate_series(1, 999) n WHERE mandant_id = $1 AND lauf_id = $2`,
      [theirs.mandant, lauf],
    );
    const marks = await marksOf(ours, theirs);
    const [last] = marks.filter(({ mandant }) => mandant === theirs.mandant).slice(-1);
    const others = await service.sql<{ lauf_id: string }>(
      'SELECT lauf_id FROM laeufe WHERE mandant_id = $1 AND lauf_id <> $2',
      [theirs.mandant, lauf],
    );
    last?.laeufe.push(...others.map(({ lauf_id }) => lauf_id));
    const read: unknown[][] = [];
    await look(marks, (text, values) => {
      if (text.includes('AS geleitet')) read.push(values[1] as unknown[]);
      return null;
    });
    expect(read.map(({ length }) => length)).toEqual([1, 200]);
    expect((await typesOf(ours))[0]).toEqual({ typ: 'schleife_exakt', status: 'offen' });
  });
});

test('nothing is found in what another Mandant sent', async () => {
  const theirs = await createProtected(service, owner);
  await theirs.addRule('schleife_exakt', { stufe: 'anhalten' });
  const lauf = randomUUID();
  await ours.send(equalCalls(6, { lauf }).calls);
  await ours.settle();
  expect(await theirs.rows('befunde', 'typ, status')).toEqual([]);
  expect(await ours.rows('befunde', 'typ, status')).toEqual([]);
});

test('growth that late calls take back is none any more, with the next batch', async () => {
  await ours.addRule('kontextwachstum', { stufe: 'anhalten' });
  const { lauf, calls } = equalCalls(10, {}, (place) => ({
    prompt_fingerabdruck: `000000000000ff${10 + place}`,
    eingabe_token: 2_000 + place * 4_000,
    cache_lese_token: 0,
    schritt_nr: place + 2,
  }));
  await ours.send(calls);
  await ours.settle();
  expect(await ours.rows('befunde', 'typ, status')).toEqual([{ typ: 'kontextwachstum', status: 'offen' }]);
  // The run has begun with as much.
  const [first] = equalCalls(1, { lauf }, () => ({ eingabe_token: 40_000, cache_lese_token: 0 })).calls;
  await ours.send([first as object]);
  await ours.settle();
  await createTwinReader(service, owner).detect();
  expect(await ours.rows('befunde', 'typ, status')).toEqual([
    { typ: 'kontextwachstum', status: 'hinfaellig' },
  ]);
  await vi.waitFor(async () => expect(await inForce()).toEqual([]), PATIENCE);
});
