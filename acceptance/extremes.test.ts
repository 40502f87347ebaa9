/**
 * Whatever the door accepts is counted, and found in every grouping, in its run and in the export, to the last digit: events whose
 * every field is at one of its ends, and enough of the largest counts that their sums go far beyond 64 bits.
 */

import { randomUUID } from 'node:crypto';
import { type Provider, waitForUpdate } from '@pydantic/genai-prices';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Ereignis } from '#client/index.ts';
import { DIMENSION_NAMES, SENT_FIELDS, type SentName, sentNames } from '#contracts';
import { createPriceList, type PriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { nachpreisenJob } from '#test/behind-doors.ts';
import { checkGrouping, checkRuns, type Row, type Sender, withDigits } from '#test/conservation.ts';
import { fuzzRuns } from '#test/fuzz.ts';
import { pricesAt } from '#test/reference-cost.ts';
import {
  distinct,
  figures,
  type Gruppe,
  KEYS,
  type Truth,
  VALUES,
  type World,
} from '#test/reference-sums.ts';
import { startService, type TestService } from '#test/service.ts';
import { unzip } from '#test/unzip.ts';

/** Of now there are sums by the minute, too. */
const NOW = new Date().toISOString();
const LATEST = new Date(Date.parse(NOW) + 24 * 3_600_000).toISOString().replace(/\....Z$/, '.999999Z');
/** Ten decimals, and a sum of digits that nothing divides. */
const RATE = '0.8612971147';
const ZONE = 'Europe/Berlin';
const WORLD: World = { receivedAt: NOW, zone: ZONE, rateOf: () => RATE, isSubstitute: () => true };
const MOST = Number.MAX_SAFE_INTEGER;
/** This number of the largest count is more than 2^63. */
const BEYOND_64_BITS = 1_100;

let service: TestService;
let db: OwnerDatabase;
let providers: Provider[];
beforeAll(async () => {
  providers = (await waitForUpdate()) ?? [];
  service = await startService({ USD_EUR_RATE: RATE });
  service.clock.set(NOW);
  const options = { connection: service.connection, max: 4, statementTimeout: 60_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await db?.close();
  await service?.stop();
});

// ── events at their ends ────────────────────────────────────────────────────────────────────────────────────

/** Models with the highest and the lowest price of a token. */
function models(): { highest: [string, string]; lowest: [string, string] } {
  const at = new Date(NOW);
  const priced = providers.flatMap(({ id, models }) =>
    models.flatMap((model) => {
      const price = pricesAt(model, at).output_mtok;
      const known = createPriceList().model(id, model.id)(at.getTime());
      return typeof price === 'number' && price > 0 && known ? [{ id, model: model.id, price }] : [];
    }),
  );
  const [first, ...others] = priced.sort((a, b) => a.price - b.price);
  const last = others.at(-1);
  if (!first || !last) throw new Error('the list has no prices');
  return { highest: [last.id, last.model], lowest: [first.id, first.model] };
}

/** Texts of a field's largest length, of one byte a character and of four; the shortest; and characters that are special somewhere. */
const textOf = (name: SentName): fc.Arbitrary<string> => {
  const { max = 0 } = SENT_FIELDS[name] as { max?: number };
  return fc.constantFrom(
    '',
    'x',
    ' ',
    'y'.repeat(max),
    '😀'.repeat(max),
    `\u0001\u001f\u007f\u0085\u2028\ufeff\uffff\u{10ffff}`,
    `\r\n\t"'\\{},;NULL`,
    '{NULL,"a\\"}',
    '=1+1',
    '__proto__',
    'e\u0301\u202e',
  );
};
const ends = { counts: fc.constantFrom(null, 0, 1, MOST - 1, MOST) };
const times = fc.constantFrom(
  '1970-01-01T00:00:00Z',
  '1970-01-01T00:00:00.000001Z',
  '1999-12-31T22:59:59.999999Z',
  '2025-03-30T01:00:00Z',
  '2025-10-26T00:59:59.999999Z',
  '2025-10-26T01:00:00Z',
  LATEST,
  null,
);
const deep = (levels: number): object => (levels <= 1 ? {} : { a: deep(levels - 1) });
const objects: fc.Arbitrary<Record<string, unknown> | null> = fc.constantFrom<Record<string, unknown> | null>(
  null,
  {},
  { projekt: '😀'.repeat(100) },
  { projekt: '\u0001"\\\uffff', 'ein "Schlüssel"\n': '\u0001\u2028' },
  { projekt: '', eingabe_umfasst_cache: null, ausgabe_umfasst_denken: null },
  { eingabe_umfasst_cache: false, ausgabe_umfasst_denken: false },
  { eingabe_umfasst_cache: true, ausgabe_umfasst_denken: true },
  deep(64) as Record<string, unknown>,
  { zahlen: [1e308, -1e-308, 2 ** 64, -0, 5e-324] },
  { gross: 'z'.repeat(200_000) },
);
const RUNS = [randomUUID(), randomUUID(), 'ffffffff-ffff-ffff-ffff-ffffffffffff'];
const prints = fc.constantFrom(null, '0000000000000000', 'ffffffffffffffff');

function anyEvent(): fc.Arbitrary<Ereignis> {
  const { highest, lowest } = models();
  const texts = sentNames('text').filter((name) => name !== 'anbieter' && name !== 'modell');
  const model = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(highest, lowest, ['anthropic', 'claude-sonnet-4-5'], [null, null]),
    },
    { weight: 1, arbitrary: fc.tuple(textOf('anbieter'), textOf('modell')) },
  );
  return fc
    .tuple(
      model,
      fc.record(Object.fromEntries(texts.map((name) => [name, textOf(name)])), { requiredKeys: [] }),
      fc.record(Object.fromEntries(sentNames('count').map((name) => [name, ends.counts])), {
        requiredKeys: [],
      }),
      fc.record({
        zeitpunkt: times,
        zusatz: objects,
        lauf_id: fc.constantFrom(...RUNS, null),
        eltern_span: fc.constantFrom(...RUNS, null),
        prompt_fingerabdruck: prints,
        werkzeug_fingerabdruck: prints,
        geschaetzt: fc.boolean(),
      }),
    )
    .map(([[anbieter, modell], ...parts]) => ({
      ereignis_id: randomUUID(),
      anbieter,
      modell,
      ...Object.assign({}, ...parts),
    }));
}

/** Every count at its largest, of one run and one hour, at the highest price. */
function largest(zeitpunkt: string): Ereignis[] {
  const [anbieter, modell] = models().highest;
  return Array.from({ length: BEYOND_64_BITS }, (_, index) => ({
    ereignis_id: randomUUID(),
    zeitpunkt,
    anbieter,
    modell,
    agent: 'viel',
    lauf_id: RUNS[0] as string,
    status: index % 2 ? 'erfolgreich' : 'fehler',
    geschaetzt: index % 3 === 0,
    zusatz: { eingabe_umfasst_cache: false, ausgabe_umfasst_denken: false },
    ...Object.fromEntries(sentNames('count').map((name) => [name, MOST])),
  }));
}

// ── the ways an event is counted ────────────────────────────────────────────────────────────────────────────

const unknown: PriceList = { edition: 'none', model: () => () => null };
/** At once, or priced later. */
const WAYS = ['at_once', 'late'] as const;
type Way = (typeof WAYS)[number];

const drain = (prices: PriceList) =>
  createCountingWorker({ db, log: service.context.log, prices, substituteRate: RATE }).drain();

async function sendAndCount({ secret }: Sender, events: Ereignis[], way: Way): Promise<void> {
  const size = 400;
  for (let from = 0; from < events.length; from += size) {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse: events.slice(from, from + size) },
    });
    expect(answer.statusCode, answer.body).toBe(202);
    await drain(way === 'late' ? unknown : createPriceList());
  }
  const job = { owner: db, log: service.context.log };
  if (way === 'late') await nachpreisenJob(job, createPriceList()).run();
}

// ── what is found ───────────────────────────────────────────────────────────────────────────────────────────

const instant = (text: string) => Temporal.PlainDate.from(text).toZonedDateTime(ZONE).epochMilliseconds;
const dayFromNow = (days: number) =>
  Temporal.Instant.from(NOW).toZonedDateTimeISO(ZONE).toPlainDate().add({ days }).toString();
const WINDOWS = [
  ['1970-01-01', '1970-01-02'],
  ['1999-01-01', '2000-01-01'],
  ['2025-01-01', '2025-12-01'],
  [dayFromNow(-1), dayFromNow(3)],
].map(([von = '', bis = '']) => ({ query: `von=${von}&bis=${bis}`, von: instant(von), bis: instant(bis) }));
const GROUPINGS = Object.keys(KEYS) as Gruppe[];

async function checkConsumption(sender: Sender, events: Truth[]): Promise<void> {
  for (const window of WINDOWS)
    for (const gruppe of GROUPINGS) await checkGrouping(sender, events, window, gruppe);
  for (const [index, dimension] of DIMENSION_NAMES.entries()) {
    const value = VALUES[dimension](events[(index * 37) % events.length] as Truth);
    for (const gruppe of GROUPINGS)
      await checkGrouping(sender, events, WINDOWS[2] as (typeof WINDOWS)[0], gruppe, { dimension, value });
  }
}

const asText = (value: unknown): unknown => (typeof value === 'number' ? String(value) : (value ?? null));

async function checkExport({ account }: Sender, events: Truth[]): Promise<void> {
  const answer = await service.app.inject({
    url: '/v1/cockpit/export.zip',
    headers: { cookie: account.cookie },
  });
  const files = await unzip(answer.rawPayload);
  const list = (name: string) => withDigits(files.get(`json/${name}.json`) as string) as Row[];
  const byId = new Map(list('ereignisse').map((row) => [row.ereignis_id, row]));
  expect(byId.size).toBe(events.length);
  for (const { sent, usd, eur } of events) {
    const row = byId.get(sent.ereignis_id as string);
    for (const name of [...sentNames('count'), ...sentNames('fingerprint')])
      if (sent[name] !== undefined) expect([name, row?.[name]]).toEqual([name, asText(sent[name])]);
    expect(row).toMatchObject({
      kosten_usd: usd?.toFixed() ?? null,
      kosten_eur: eur?.toFixed() ?? null,
      fehlercode: sent.fehlercode ?? null,
    });
  }
  const days = list('verbrauch_tag').filter((row) => row.dimension === 'gesamt');
  for (const [day, group] of Map.groupBy(events, KEYS.tag)) {
    const { kosten_eur, ...counts } = figures(group);
    expect(days.find((row) => row.tag === day)).toMatchObject({ ...counts, kosten_eur: kosten_eur ?? '0' });
  }
}

const left = () => service.sql(`SELECT grund FROM eingang_unzaehlbar UNION ALL SELECT 'waits' FROM eingang`);

test.each(WAYS)(
  'events at the ends of what is accepted are counted (%s)',
  { timeout: 300_000 },
  async (way) => {
    const property = fc.asyncProperty(
      fc.array(anyEvent(), { minLength: 150, maxLength: 180 }),
      async (some) => {
        const account = await registerAccount(service);
        const { secret } = await createKey(service, account);
        const sender = { service, account, secret };
        const sent = [...some, ...largest('2025-10-26T00:30:00Z'), ...largest(NOW)];
        await sendAndCount(sender, sent, way);
        expect(await left()).toEqual([]);
        const events = distinct([sent], WORLD);
        await checkConsumption(sender, events);
        await checkRuns(sender, events, RUNS);
        await checkExport(sender, events);
      },
    );
    await fc.assert(property, { numRuns: fuzzRuns(1), endOnFailure: true });
  },
);

test('the largest body that is accepted is counted', async () => {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const payload = (size: number) => JSON.stringify({ ereignisse: [{ zusatz: { a: 'z'.repeat(size) } }] });
  const room = 10 * 1024 * 1024 - payload(0).length;
  const post = (size: number) =>
    service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      payload: payload(size),
    });
  expect((await post(room + 1)).statusCode).toBe(413);
  expect((await post(room)).statusCode).toBe(202);
  await drain(createPriceList());
  expect(await left()).toEqual([]);
  const [row] = await service.sql(
    `SELECT length(zusatz->>'a') AS size FROM ereignisse WHERE mandant_id = $1`,
    [account.mandantId],
  );
  expect(row).toEqual({ size: room });
});
