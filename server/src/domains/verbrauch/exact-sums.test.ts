/** Whatever the window, the grouping and the filter, the sums are those of the events, and stay with their Mandant. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DIMENSION_NAMES } from '#contracts';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { addEvents, type Call, condenseDays } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { consumption } from './consumption.ts';

const ZONE = 'Europe/Berlin';
/** The days around both changes of the clocks, and the weeks they lie in. */
const SPANS = [
  [Date.UTC(2026, 2, 20), Date.UTC(2026, 3, 6)],
  [Date.UTC(2026, 9, 16), Date.UTC(2026, 10, 3)],
] as const;
const HOUR = 3_600_000;

let service: TestService;
let mandanten: { account: Account; secret: string; calls: Call[] }[];

const names = (prefix: string, count: number) =>
  fc.constantFrom(null, ...Array.from({ length: count }, (_, index) => `${prefix}${index}`));

/** Calls of one Mandant, whose dimensions have more or fewer values. */
const callsOf = ([from, to]: readonly [number, number]) =>
  fc
    .tuple(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 4 }))
    .chain(([agents, customers, models]) =>
      fc.array(
        fc.record({
          ms: fc.integer({ min: from, max: to - 1 }),
          agent: fc.nat(agents).map((index) => `p/a${index}`),
          projekt: fc.constantFrom('p', 'q'),
          endkunde: names('k', customers),
          anbieter: names('anbieter', 2),
          modell: names('m', models),
          funktion: names('f', 2),
          benutzer: names('u', 9),
          failed: fc.boolean(),
          geschaetzt: fc.boolean(),
          eingabe_token: fc.option(fc.nat()),
          // In 10^-12 USD; few different ones, so that groups cost the same.
          usd: fc.option(
            fc.oneof(
              fc.constant(0n),
              fc.bigInt({ min: 1n, max: 3n }),
              fc.bigInt({ min: 1n, max: 10n ** 20n }),
            ),
          ),
        }),
        { minLength: 150, maxLength: 250 },
      ),
    );

beforeAll(async () => {
  service = await startService();
  service.clock.set('2027-01-02T12:00:00Z');
  mandanten = [];
  for (const [index, span] of SPANS.entries()) {
    const account = await registerAccount(service);
    const [calls] = fc.sample(callsOf(span), { numRuns: 1, seed: 11 + index }) as [Call[]];
    await addEvents(service, account.mandantId, calls.slice(0, 120));
    await condenseDays(service);
    // What is counted later opens some of the days again.
    await addEvents(service, account.mandantId, calls.slice(120));
    mandanten.push({ account, calls, secret: (await createKey(service, account)).secret });
  }
});
afterAll(() => service?.stop());

const local = ({ ms }: Call) => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ZONE);
const KEYS: Record<string, (call: Call) => string> = {
  ...Object.fromEntries(DIMENSION_NAMES.map((name) => [name, (call: Call) => call[name] ?? ''])),
  tag: (call) => local(call).toPlainDate().toString(),
  stunde: (call) =>
    local(call)
      .round({ smallestUnit: 'hour', roundingMode: 'floor' })
      .toString({ timeZoneName: 'never', fractionalSecondDigits: 0 }),
};

const decimal = (value: bigint): string => {
  const digits = value.toString().padStart(13, '0');
  return `${digits.slice(0, -12)}.${digits.slice(-12)}`.replace(/\.?0+$/, '');
};
const total = (values: (bigint | null)[]) => values.reduce<bigint>((sum, value) => sum + (value ?? 0n), 0n);

/** The figures of calls as answers give them; the test's rate is 1 EUR for one USD. */
function figuresOf(calls: Call[]) {
  const unpriced = calls.filter(({ usd }) => usd === null).length;
  const isKnown = unpriced < calls.length;
  const cost = decimal(total(calls.map(({ usd }) => usd)));
  return {
    kosten_eur: isKnown ? cost : null,
    kosten_usd: isKnown ? cost : null,
    aufrufe: calls.length,
    fehler: calls.filter(({ failed }) => failed).length,
    unbepreist: unpriced,
    geschaetzt: calls.filter(({ geschaetzt }) => geschaetzt).length,
    eingabe_token: Number(total(calls.map(({ eingabe_token }) => BigInt(eingabe_token ?? 0)))),
    verbranntes_geld_eur: decimal(total(calls.map(({ failed, usd }) => (failed ? usd : 0n)))),
  };
}

function expected(calls: Call[], gruppe: string) {
  const groups = [...Map.groupBy(calls, KEYS[gruppe] as (call: Call) => string)].map(
    ([schluessel, group]) => ({
      schluessel,
      cost: group.every(({ usd }) => usd === null) ? -1n : total(group.map(({ usd }) => usd)),
      first: Math.floor(Math.min(...group.map(({ ms }) => ms)) / HOUR),
      figures: figuresOf(group),
    }),
  );
  const byKey = (a: { schluessel: string }, b: { schluessel: string }) =>
    a.schluessel < b.schluessel ? -1 : 1;
  const isTime = gruppe === 'tag' || gruppe === 'stunde';
  groups.sort((a, b) =>
    isTime ? a.first - b.first : a.cost === b.cost ? byKey(a, b) : a.cost > b.cost ? -1 : 1,
  );
  return groups.map(({ schluessel, figures }) => ({ schluessel, ...figures }));
}

const read = async (secret: string, parameters: Record<string, string>) => {
  const answer = await service.app.inject({
    method: 'GET',
    url: `/v1/api/verbrauch?${new URLSearchParams(parameters)}`,
    headers: { authorization: `Bearer ${secret}` },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

const question = fc.integer({ min: 0, max: SPANS.length - 1 }).chain((index) => {
  const [from, to] = SPANS[index] as (typeof SPANS)[number];
  const hour = fc.integer({ min: from / HOUR, max: to / HOUR });
  return fc.record({
    index: fc.constant(index),
    window: fc.tuple(hour, hour).filter(([von, bis]) => von < bis),
    gruppe: fc.constantFrom(...Object.keys(KEYS)),
    filter: fc.option(fc.tuple(fc.constantFrom(...DIMENSION_NAMES), fc.nat())),
    limit: fc.integer({ min: 1, max: 9 }),
  });
});

test('every grouping of every window, filtered or not, is what its events sum up to, page by page', async () => {
  await fc.assert(
    fc.asyncProperty(question, async ({ index, window, gruppe, filter, limit }) => {
      const { secret, calls } = mandanten[index] as (typeof mandanten)[number];
      const [von, bis] = window.map((value) => value * HOUR) as [number, number];
      const [dimension, pick] = filter ?? [];
      const value = dimension && (calls[(pick ?? 0) % calls.length]?.[dimension] ?? '');
      const inside = calls.filter(
        (call) => call.ms >= von && call.ms < bis && (!dimension || (call[dimension] ?? '') === value),
      );
      const parameters = {
        gruppe,
        von: new Date(von).toISOString(),
        bis: new Date(bis).toISOString(),
        ...(dimension ? { [dimension]: value ?? '' } : {}),
      };
      const rows = expected(inside, gruppe);
      const whole = await read(secret, parameters);
      expect(whole.zeilen).toMatchObject(rows);
      expect(whole.zeilen).toHaveLength(rows.length);
      expect(whole.summe).toMatchObject(figuresOf(inside));
      const first = await read(secret, { ...parameters, limit: String(limit) });
      expect(first.zeilen).toMatchObject(rows.slice(0, limit));
      const shown = new Set(first.zeilen.map(({ schluessel }: { schluessel: string }) => schluessel));
      const others = inside.filter((call) => !shown.has((KEYS[gruppe] as (call: Call) => string)(call)));
      if (rows.length <= limit) expect(first.rest).toBeNull();
      else expect(first.rest).toMatchObject({ gruppen: rows.length - limit, ...figuresOf(others) });
      if (!first.naechster) return;
      const second = await read(secret, { ...parameters, limit: String(limit), cursor: first.naechster });
      expect(second.zeilen).toMatchObject(rows.slice(limit, 2 * limit));
    }),
    { numRuns: 250 },
  );
});

test('some days are read from pairs and some from events', async () => {
  const states = await service.sql<{ verdichtet: boolean }>(
    'SELECT DISTINCT verdichtet IS NOT DISTINCT FROM geaendert AS verdichtet FROM verbrauch_tagesstand',
  );
  expect(states).toHaveLength(2);
});

test('a day by project and end customer is what its events sum up to, condensed or not', async () => {
  for (const { secret, calls } of mandanten) {
    for (const [datum, ofDay] of Map.groupBy(calls, KEYS.tag as (call: Call) => string)) {
      const answer = await service.app.inject({
        method: 'GET',
        url: `/v1/uebersicht/tag?datum=${datum}`,
        headers: { authorization: `Bearer ${secret}` },
      });
      const { zeilen, summe } = answer.json();
      expect(summe).toMatchObject(figuresOf(ofDay));
      const groups = Map.groupBy(ofDay, (call) => `${call.projekt}|${call.endkunde ?? ''}`);
      expect(zeilen).toHaveLength(groups.size);
      for (const zeile of zeilen)
        expect(zeile).toMatchObject(figuresOf(groups.get(`${zeile.projekt}|${zeile.endkunde ?? ''}`) ?? []));
    }
  }
});

test('sums belong to the Mandant of the transaction; without one there are none', async () => {
  const von = Temporal.ZonedDateTime.from(`2026-01-01T00:00[${ZONE}]`);
  for (const { account, calls } of mandanten) {
    const { summe } = await service.context.db.forMandant(mandantId(account.mandantId), (tx) =>
      consumption(tx, { window: { von, bis: von.add({ years: 1 }) }, by: null }, Temporal.Now.instant()),
    );
    expect(Number(summe.aufrufe)).toBe(calls.length);
  }
  const tables = ['minute', 'stunde', 'tag', 'woche', 'kurs', 'tagesstand', 'paar'].map(
    (name) => `verbrauch_${name}`,
  );
  for (const table of [...tables, 'merkmale', 'laeufe', 'ereignisse', 'agenten', 'eingang']) {
    const unbound = await service.context.db.transaction((client) => client.query(`SELECT FROM ${table}`));
    expect(unbound.rowCount, table).toBe(0);
  }
});
