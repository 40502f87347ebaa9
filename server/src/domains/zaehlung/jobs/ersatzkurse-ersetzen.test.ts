/** The substitute replaced by reference rates: to the last digit what a fresh count with these rates comes to. */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Account } from '#test/account.ts';
import { breaking, countAnew, expectSumsOfEvents, keptOf, type SentCall } from '#test/counted-anew.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { startService, type TestService } from '#test/service.ts';
import { ersatzkurseErsetzenJob } from './ersatzkurse-ersetzen.ts';

const SUBSTITUTE = '0.86';
const DAY = 86_400_000;
/** The UTC day `days` ago. Sums by the minute are kept of the last one, and of none before the day before it. */
const ago = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
const DAYS = [ago(7), ago(6), ago(5), ago(4), ago(3), ago(1)];
const LAST = ago(1);
/** With gaps, as of weekends; what is later than the last of them is not final. */
const RATES = [
  [ago(6), '0.8612971144'],
  [ago(5), '0.9'],
  [LAST, '0.8511362669'],
];

let service: TestService;
let owner: OwnerDatabase;

beforeAll(async () => {
  service = await startService({ USD_EUR_RATE: SUBSTITUTE });
  const options = { connection: service.connection, max: 3, statementTimeout: 60_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
});
afterEach(async () => {
  await service.sql('DELETE FROM wechselkurse');
  await service.sql('UPDATE mandanten SET ersatzkurs_ersetzen = false');
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

const learnRates = async () => {
  for (const [day, rate] of RATES)
    await service.sql(`INSERT INTO wechselkurse (tag, usd_eur, quelle) VALUES ($1, $2, 'ezb')`, [day, rate]);
};
const allow = ({ mandantId }: Account) =>
  service.sql('UPDATE mandanten SET ersatzkurs_ersetzen = true WHERE mandant_id = $1', [mandantId]);
const replace = (db = owner) => ersatzkurseErsetzenJob({ owner: db, log: service.context.log }).run();

type Sent = SentCall;

/** Counted at the substitute by a Mandant of its own; the given calls are then repeats of their run. */
const count = (sent: Sent[], repeats: string[]): Promise<Account> =>
  countAnew(service, owner, sent, { repeats, substituteRate: SUBSTITUTE });
const kept = (account: Account) => keptOf(service, account);

const RUNS = [randomUUID(), randomUUID()];

const call: fc.Arbitrary<Sent> = fc.record({
  ereignis_id: fc.uuid({ version: 4 }),
  // Some of them on the next day in Berlin, or before the first rate.
  zeitpunkt: fc
    .tuple(fc.constantFrom(...DAYS), fc.integer({ min: 0, max: 23 }))
    .map(([day, hour]) => `${day}T${String(hour).padStart(2, '0')}:59:00Z`)
    .filter((time) => time < `${LAST}T22:00:00Z`),
  agent: fc.constantFrom('a/x', 'b'),
  anbieter: fc.constant('openai'),
  modell: fc.constantFrom('gpt-4o-mini', 'gpt-4o', 'eigenes'),
  status: fc.constantFrom('erfolgreich', 'erfolgreich', 'fehler'),
  geschaetzt: fc.boolean(),
  lauf_id: fc.constantFrom(null, ...RUNS),
  eingabe_token: fc.option(fc.integer({ min: 0, max: 1_000_000 })),
  ausgabe_token: fc.integer({ min: 0, max: 10_000 }),
});

test('comes to what a fresh count with the rates does, wherever it was interrupted', {
  timeout: fuzzTime(),
}, async () => {
  const calls = fc.uniqueArray(call, { minLength: 1, maxLength: 25, selector: (each) => each.ereignis_id });
  const property = fc.asyncProperty(calls, fc.nat({ max: 12 }), fc.nat(), async (sent, at, pick) => {
    await service.sql('DELETE FROM wechselkurse');
    const repeats = sent.filter((_, index) => (index + pick) % 3 === 0).map((each) => each.ereignis_id);
    const account = await count(sent, repeats);
    await learnRates();
    const fresh = await count(sent, repeats);
    const before = await kept(account);
    // Nobody allowed it yet.
    expect(await replace()).toEqual({ ersetzt: 0 });
    expect(await kept(account)).toEqual(before);
    await allow(account);
    await replace(breaking(owner, at)).catch(() => null);
    await expectSumsOfEvents(service);
    await replace();
    expect(await kept(account)).toEqual(await kept(fresh));
    await expectSumsOfEvents(service);
    expect(await replace()).toEqual({ ersetzt: 0 });
    expect(await kept(account)).toEqual(await kept(fresh));
  });
  // Looking for a smaller example would take longer than the test may, and end without any.
  await fc.assert(property, { numRuns: fuzzRuns(4), endOnFailure: true });
});

test('goes on beyond what one transaction takes, by two jobs at once as by one', async () => {
  const sent = Array.from({ length: 2_300 }, (_, index) => ({
    ereignis_id: randomUUID(),
    zeitpunkt: `${ago(3)}T10:00:00.${String(index).padStart(6, '0')}Z`,
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    lauf_id: RUNS[index % 2] as string,
    eingabe_token: index,
    ausgabe_token: 1,
  }));
  const account = await count(sent, []);
  await learnRates();
  const fresh = await count(sent, []);
  await allow(account);
  const done = (await Promise.all([replace(), replace()])) as { ersetzt: number }[];
  expect(done.reduce((sum, { ersetzt }) => sum + ersetzt, 0)).toBe(sent.length);
  expect(await kept(account)).toEqual(await kept(fresh));
});

test('leaves the status of a run whose last calls are of one instant', async () => {
  const calls = ['9', '0'].map((first, index) => ({
    ereignis_id: `${first}${randomUUID().slice(1)}`,
    zeitpunkt: `${ago(3)}T10:00:00Z`,
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    status: index === 0 ? 'fehler' : 'erfolgreich',
    lauf_id: RUNS[0] as string,
    eingabe_token: 1_000_000,
  }));
  const account = await count(calls, []);
  const status = async () => (await kept(account)).runs.map((run) => run.status);
  expect(await status()).toEqual(['erfolgreich']);
  await learnRates();
  await allow(account);
  expect(await replace()).toEqual({ ersetzt: 2 });
  expect(await status()).toEqual(['erfolgreich']);
});

test('leaves a day alone whose rate may still come, or lies in a gap of the rates', async () => {
  const at = (zeitpunkt: string) => ({
    ereignis_id: randomUUID(),
    zeitpunkt,
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    eingabe_token: 1_000_000,
    ausgabe_token: 0,
  });
  const account = await count(
    [at(`${ago(0)}T10:00:00Z`), at(`${ago(25)}T10:00:00Z`), at(`${LAST}T10:00:00Z`)],
    [],
  );
  await learnRates();
  await service.sql(`INSERT INTO wechselkurse (tag, usd_eur, quelle) VALUES ($1, 0.7, 'ezb')`, [ago(40)]);
  await allow(account);
  expect(await replace()).toEqual({ ersetzt: 1 });
  const { events } = await kept(account);
  expect(events.map(({ kurs }) => kurs).toSorted()).toEqual(['0.8511362669', SUBSTITUTE, SUBSTITUTE]);
});

test('leaves the days of a closed month alone: what is billed keeps its rate', async () => {
  const call = {
    ereignis_id: randomUUID(),
    zeitpunkt: `${ago(3)}T10:00:00Z`,
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    eingabe_token: 1_000_000,
  };
  const [closed, open] = [await count([call], []), await count([call], [])];
  await service.sql(
    `INSERT INTO abrechnungsmonate (mandant_id, monat, zeitzone, verbranntes_berechnen, aufschlag_ausweisen, geschlossen_am, stand)
     VALUES ($1, date_trunc('month', $2::date), 'Europe/Berlin', true, false, now(), 0)`,
    [closed.mandantId, ago(3)],
  );
  await learnRates();
  await Promise.all([allow(closed), allow(open)]);
  expect(await replace()).toEqual({ ersetzt: 1 });
  expect((await kept(closed)).events.map(({ kurs }) => kurs)).toEqual([SUBSTITUTE]);
});
