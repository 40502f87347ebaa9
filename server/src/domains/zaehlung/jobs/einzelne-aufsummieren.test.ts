import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { GRAINS, type Grain } from '#domains/verbrauch/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { expectDays } from '#test/day-totals.ts';
import { isWhole } from '#test/depth.ts';
import { expectPieces } from '#test/pieces.ts';
import { startService, type TestService } from '#test/service.ts';
import {
  keySumsOf,
  readCalls,
  readKeySums,
  readSourceSums,
  readSums,
  sourceSumsOf,
  sumsOf,
} from '#test/sums-by-dimension.ts';
import { countAll } from '#test/tenants.ts';
import { holdCounting } from '../taking.ts';
import { einzelneAufsummierenJob } from './einzelne-aufsummieren.ts';

let service: TestService;
let owner: OwnerDatabase;
beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 3, statementTimeout: 30_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});
beforeEach(() =>
  service.sql(
    'TRUNCATE ereignisse, verbrauch_stuecke, verbrauch_einzeln, verbrauch_minute, verbrauch_stunde, verbrauch_tagesstand, verbrauch_schluessel, verbrauch_quellen',
  ),
);

async function newSender() {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const send = async (ereignisse: object[]) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse },
    });
    expect(answer.statusCode, answer.body).toBe(202);
    await countAll(service);
  };
  return { mandant: account.mandantId, send };
}

/** Calls of all kinds: with and without price, failed, estimated, of today and of long before. */
const calls = (count: number, offset = 0) =>
  Array.from({ length: count }, (_, index) => ({
    zeitpunkt: new Date(Date.now() - ((index + offset) % 7) * 9_000_000_000 - index * 40_000).toISOString(),
    agent: `agent-${index % 3}`,
    anbieter: 'openai',
    modell: index % 4 === 0 ? 'eigenes-modell' : 'gpt-4o-mini',
    endkunde_ref: index % 5 === 0 ? undefined : `kunde-${index % 5}`,
    benutzer_ref: `benutzer-${index}`,
    status: index % 6 === 0 ? 'fehler' : 'erfolgreich',
    eingabe_token: 1_000 + index + offset,
    ausgabe_token: index % 2 === 0 ? 7 : undefined,
    latenz_ms: index % 3 === 0 ? undefined : 3 ** (index % 15),
    erste_zeichen_ms: index * 10,
  }));

const countOf = async (table: string, mandant: string) => {
  const [row] = await service.sql<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table} WHERE mandant_id = $1`,
    [mandant],
  );
  return row?.n;
};

async function expectAllSums() {
  const counted = await readCalls(service.sql);
  // Sums by the minute are not kept for long.
  const recent = counted.filter(({ row }) => Date.now() - Date.parse(row.zeitpunkt) < 40 * 3_600_000);
  for (const grain of Object.keys(GRAINS) as Grain[])
    expect(await readSums(service.sql, grain), grain).toEqual(
      sumsOf(grain === 'minute' ? recent : counted, grain),
    );
  await expectPieces(service, counted);
  await expectDays(service.sql, counted);
  expect(await readKeySums(service.sql)).toEqual(keySumsOf(counted));
  expect(await readSourceSums(service.sql)).toEqual(sourceSumsOf(counted));
}

const run = () => einzelneAufsummierenJob({ owner, log: service.context.log }).run();

test('adds up what was kept one by one of all Mandanten, and nothing that is read changes', async () => {
  const [first, second] = [await newSender(), await newSender()];
  // Some values, periods and Mandanten have sums already, others begin with what is added up here.
  await first.send(calls(30));
  expect(await run()).toEqual({ mandanten: 1 });
  await first.send(calls(40, 3));
  await second.send(calls(3));
  expect(await countOf('verbrauch_einzeln', first.mandant)).toBe(40);
  expect(await countOf('verbrauch_stunde', second.mandant)).toBe(0);
  await expectAllSums();
  expect(await run()).toEqual({ mandanten: 2 });
  for (const { mandant } of [first, second]) expect(await countOf('verbrauch_einzeln', mandant)).toBe(0);
  await expectAllSums();
  expect(await run()).toEqual({ mandanten: 0 });
});

test('leaves a Mandant that is just being counted', async () => {
  const { mandant, send } = await newSender();
  await send(calls(2));
  await owner.transaction(async (client) => {
    await holdCounting(client, mandant);
    expect(await run()).toEqual({ mandanten: 0 });
  });
  expect(await run()).toEqual({ mandanten: 1 });
  await expectAllSums();
});

test('counting adds them up itself once they are many, and takes more at once as sums', async () => {
  const { mandant, send } = await newSender();
  for (let sent = 0; sent < 1_900; sent += 190) await send(calls(190, sent));
  expect(await countOf('verbrauch_einzeln', mandant)).toBe(1_900);
  await send(calls(201));
  expect(await countOf('verbrauch_einzeln', mandant)).toBe(1_900);
  await send(calls(150, 1));
  expect(await countOf('verbrauch_einzeln', mandant)).toBe(0);
  await expectAllSums();
});

/** Lets the sums of one Mandant be added to no more. */
async function breakSumsOf<T>(mandant: string, work: () => Promise<T>): Promise<T> {
  await service.sql(
    `ALTER TABLE verbrauch_stunde ADD CONSTRAINT kaputt CHECK (mandant_id <> '${mandant}') NOT VALID`,
  );
  try {
    return await work();
  } finally {
    await service.sql('ALTER TABLE verbrauch_stunde DROP CONSTRAINT kaputt');
  }
}

test('a Mandant whose calls cannot be added up keeps no other from it, and the run says that it failed', async () => {
  const [first, second, third] = [await newSender(), await newSender(), await newSender()];
  for (const each of [first, second, third]) await each.send(calls(5));
  for (const broken of [first, second, third]) {
    await breakSumsOf(broken.mandant, () => expect(run()).rejects.toThrow(/1 of \d Mandanten/));
    expect(await countOf('verbrauch_einzeln', broken.mandant)).toBe(5);
    for (const each of [first, second, third].filter((other) => other !== broken))
      expect(await countOf('verbrauch_einzeln', each.mandant)).toBe(0);
    expect(await run()).toEqual({ mandanten: 1 });
    for (const each of [first, second, third]) await each.send(calls(5, 11));
    await expectAllSums();
  }
});

// Thousands of calls; that one fault keeps nothing else from being counted is seen above with a few.
test.runIf(isWhole)(
  'calls are counted where what is kept cannot be added up, and nothing is set aside',
  async () => {
    const { mandant, send } = await newSender();
    await breakSumsOf(mandant, async () => {
      for (let sent = 0; sent < 2_090; sent += 190) await send(calls(190, sent));
    });
    expect(await countOf('verbrauch_einzeln', mandant)).toBe(2_090);
    expect(await countOf('ereignisse', mandant)).toBe(2_090);
    expect(await countOf('eingang_unzaehlbar', mandant)).toBe(0);
    await expectAllSums();
    await send(calls(10));
    expect(await countOf('verbrauch_einzeln', mandant)).toBe(0);
    await expectAllSums();
  },
);
