/** Whatever works as the owner asks for one Mandant at a time, but for the few questions that are about all of them. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPriceList, type PriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { systemClock } from '#kernel/clock.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { idempotenzAufraeumenJob, loeschenJob, nachpreisenJob, pruefenJobs } from '#test/behind-doors.ts';
import { startService, type TestService } from '#test/service.ts';
import { findFaulty, recordStatements, type Statement } from '#test/statements.ts';

let service: TestService;
let statements: Map<string, Statement>;
let scattered: string[];

/** One batch sent twice, another that cannot be read. */
async function send(): Promise<string> {
  const account = await registerAccount(service);
  const key = await createKey(service, account);
  const ereignisse = [
    {
      ereignis_id: '6f9619ff-8b86-4011-b42d-00c04fc964ff',
      lauf_id: '6f9619ff-8b86-4011-b42d-00c04fc96400',
      agent: 'a',
      endkunde_ref: 'k',
      anbieter: 'openai',
      modell: 'gpt-4o-mini',
      eingabe_token: 5,
    },
  ];
  for (const nth of ['1', '2']) {
    const headers = { authorization: `Bearer ${key.secret}`, 'idempotency-key': nth };
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers,
      payload: { ereignisse },
    });
    expect(answer.statusCode).toBe(202);
  }
  await service.sql(
    `INSERT INTO eingang (mandant_id, eingang_id, empfangen_am, schluessel_id, anzahl, umfang, daten)
     SELECT mandant_id, gen_random_uuid(), now(), schluessel_id, 1, 1, 'x' FROM schluessel WHERE mandant_id = $1`,
    [account.mandantId],
  );
  return account.mandantId;
}

/** Counts without prices, prices late, cleans up and removes the Mandant. */
async function work(): Promise<void> {
  const { connection, context } = service;
  const { log } = context;
  const pool = createPool({ connection, max: 4, statementTimeout: 30_000, name: 'one-node' }, log);
  statements = recordStatements(pool);
  const db = createOwnerDatabase(pool);
  const noPrices: PriceList = { edition: 'none', model: () => () => null };
  const mandant = await send();
  await createCountingWorker({ db, log, prices: noPrices, substituteRate: '1' }).drain();
  expect(await nachpreisenJob({ owner: db, log: service.context.log }, createPriceList()).run()).toEqual({
    bepreist: 1,
  });
  await service.sql('UPDATE agenten SET budget_eur = 0');
  await service.sql(
    `INSERT INTO regeln (mandant_id, name, typ, geltungsbereich, stufe, schwelle, schattenbetrieb, aktiv, parameter)
     VALUES ($1, 'x', 'budget_tempo', 'mandant', 'warnen', 1, true, true, '{}')`,
    [mandant],
  );
  const checked = await pruefenJobs({ owner: db, clock: systemClock, log })[0].run();
  expect(checked).toMatchObject({ budgets: 1 });
  await idempotenzAufraeumenJob({ owner: db }).run();
  await service.sql(
    `UPDATE mandanten SET status = 'gekündigt', gekuendigt_am = now() - interval '30 days 1 second' WHERE mandant_id = $1`,
    [mandant],
  );
  expect(await loeschenJob({ owner: db, log }).run()).toEqual({ geloescht: 1 });
  const client = await pool.connect();
  scattered = await findFaulty(client, [...statements.values()]);
  client.release();
  await db.close();
}

beforeAll(async () => {
  service = await startService();
  await work();
});
afterAll(() => service?.stop());

/** Every node of a cluster is asked. */
const ABOUT_ALL = [
  // What waits in whose inbox.
  /^SELECT mandant_id AS mandant, .* FROM eingang GROUP BY mandant_id$/s,
  // Keys that are too old, by their age alone.
  /^DELETE FROM idempotenz WHERE erstellt_am < \$1$/,
  // Who has days with calls without a price.
  /^SELECT v\.mandant_id, m\.zeitzone, v\.tag FROM verbrauch_tagesstand v JOIN mandanten m USING \(mandant_id\)\s+WHERE v\.unbepreist > 0/,
];

/** Counting takes what waits of one Mandant or of several: it names them by a list. */
const BY_A_LIST = /= ANY\(\$\d::uuid\[\]\)|unnest\(\$\d+::uuid\[\]|\(\$1::uuid\[\]\)\[n\.m\]/;

test('each statement on a volume table names its Mandant, or a list of them', () => {
  const known = [...ABOUT_ALL, BY_A_LIST];
  expect(scattered.filter((text) => !known.some((form) => form.test(text)))).toEqual([]);
});

test('those about all Mandanten are asked', () => {
  expect(ABOUT_ALL.filter((known) => !scattered.some((text) => known.test(text)))).toEqual([]);
});

test('what is there is never changed to what changes by itself, which a cluster refuses', () => {
  const changes = [...statements.keys()].flatMap((text) =>
    text
      .split('DO UPDATE SET')
      .slice(1)
      .map((change) => change.split('INSERT')[0] ?? ''),
  );
  expect(changes.length).toBeGreaterThan(5);
  expect(changes.filter((change) => /\b(now|clock_timestamp|gen_random_uuid)\(/.test(change))).toEqual([]);
});

test('counting, late prices and removal were seen', () => {
  const seen = [...statements.keys()].join('\n');
  for (const text of [
    'DELETE FROM eingang',
    'INSERT INTO verbrauch_laufend_stunde',
    'UPDATE ereignisse',
    'DELETE FROM laeufe',
    'INTO eingang_unzaehlbar',
  ])
    expect(seen).toContain(text);
});
