/** Whatever the window, the grouping and the filter, the sums are those of the events, and stay with their Mandant. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DIMENSION_NAMES, type DimensionName } from '#contracts';
import { mandantId } from '#kernel/mandant-id.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { addEvents, type Call } from '#test/rollups.ts';
import { startService, type TestService } from '#test/service.ts';
import { startEngine, type TestEngine } from '#test/sums-by-engine.ts';
import { consumptionByEngine } from './engine/consumption-by-engine.ts';
import { engineOf, giveEngine } from './engine/engine-of.ts';

const ZONE = 'Europe/Berlin';
const HOUR = 3_600_000;
/** The midnights around both changes of the clocks, with the weeks that end with them, in hours since 1970. */
const [SPRING, AUTUMN] = ['2026-03-21', '2026-10-17'].map((first) =>
  Array.from(
    { length: 13 },
    (_, index) =>
      Temporal.PlainDate.from(first).add({ days: index }).toZonedDateTime(ZONE).epochMilliseconds / HOUR,
  ),
) as [number[], number[]];
const hourOf = (span: number[]) => fc.integer({ min: span[0] as number, max: span.at(-1) as number });

let service: TestService;
let own: TestEngine;

beforeAll(async () => {
  service = await startService();
  service.clock.set('2027-01-02T12:00:00Z');
  // Days of all pieces are added up, however small these are.
  own = startEngine({ limits: { addedUpFrom: 1, writtenLaterFrom: 1 } });
  giveEngine(service.context.config, own.engine);
});
afterAll(async () => {
  await service?.stop();
  await own?.stop();
});

/** One of `count` values, or none. */
const named = (prefix: string, count: number) =>
  fc.nat(count).map((index) => (index === 0 ? null : `${prefix}${index}`));

/** How many values each dimension has. */
const cardinalities = fc.record({
  agent: fc.integer({ min: 1, max: 12 }),
  projekt: fc.integer({ min: 1, max: 3 }),
  endkunde: fc.integer({ min: 1, max: 40 }),
  anbieter: fc.integer({ min: 1, max: 3 }),
  modell: fc.integer({ min: 1, max: 4 }),
  funktion: fc.integer({ min: 1, max: 6 }),
  benutzer: fc.integer({ min: 1, max: 60 }),
} satisfies Record<DimensionName, unknown>);

type Sent = Call & { isLate: boolean };

const anyInstant = fc
  .tuple(fc.noBias(fc.oneof(hourOf(SPRING), hourOf(AUTUMN))), fc.nat(HOUR - 1))
  .map(([hour, ms]) => hour * HOUR + ms);

/** Calls of one Mandant. Some come late: those of every third day. */
const anyCalls: fc.Arbitrary<Sent[]> = cardinalities.chain((counts) =>
  fc.array(
    fc
      .record({
        ms: anyInstant,
        agent: fc.nat(counts.agent - 1).map((index) => `p/a${index}`),
        projekt: fc.nat(counts.projekt - 1).map((index) => `p${index}`),
        endkunde: named('k', counts.endkunde),
        anbieter: named('anbieter', counts.anbieter),
        modell: named('m', counts.modell),
        funktion: named('f', counts.funktion),
        benutzer: named('u', counts.benutzer),
        failed: fc.boolean(),
        geschaetzt: fc.boolean(),
        eingabe_token: fc.option(fc.nat()),
        // In 10^-12 USD; few different ones, so that groups cost the same.
        usd: fc.option(
          fc.oneof(fc.constant(0n), fc.bigInt({ min: 1n, max: 3n }), fc.bigInt({ min: 1n, max: 10n ** 20n })),
        ),
        mayBeLate: fc.boolean(),
      })
      .map(({ mayBeLate, ...call }) => ({ ...call, isLate: mayBeLate && local(call).day % 3 === 0 })),
    { minLength: 150, maxLength: 250 },
  ),
);

interface Mandant {
  account: Account;
  secret: string;
}

/** A new Mandant with these calls, those that are late after all others. */
async function addMandant(calls: Sent[]): Promise<Mandant> {
  const account = await registerAccount(service);
  const [late, early] = [calls.filter(({ isLate }) => isLate), calls.filter(({ isLate }) => !isLate)];
  for (const sent of [early, late]) if (sent.length > 0) await addEvents(service, account.mandantId, sent);
  return { account, secret: (await createKey(service, account)).secret };
}

const local = ({ ms }: Pick<Call, 'ms'>) =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ZONE);
type Gruppe = DimensionName | 'tag' | 'stunde';
const KEYS: Record<Gruppe, (call: Call) => string> = {
  ...(Object.fromEntries(DIMENSION_NAMES.map((name) => [name, (call: Call) => call[name] ?? ''])) as Record<
    DimensionName,
    (call: Call) => string
  >),
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

function expected(calls: Call[], gruppe: Gruppe) {
  const groups = [...Map.groupBy(calls, KEYS[gruppe])].map(([schluessel, group]) => ({
    schluessel,
    cost: group.every(({ usd }) => usd === null) ? -1n : total(group.map(({ usd }) => usd)),
    first: Math.floor(Math.min(...group.map(({ ms }) => ms)) / HOUR),
    figures: figuresOf(group),
  }));
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

interface Question {
  /** Hours since 1970. */
  window: [von: number, bis: number];
  /** Whose value is filtered by. */
  pick: number;
  /** Rows of a page; null to read all at once only. */
  limit: number | null;
}

const hourIn = (span: number[]) => fc.oneof(hourOf(span), fc.constantFrom(...span));
/** Within a span, or from one to the other. */
const anyWindow = fc
  .constantFrom([SPRING, SPRING], [AUTUMN, AUTUMN], [SPRING, AUTUMN])
  .chain(([from, to]) => fc.tuple(hourIn(from), hourIn(to)))
  .filter(([von, bis]) => von < bis);

const anyQuestion: fc.Arbitrary<Question> = fc.record({
  window: anyWindow,
  pick: fc.nat(),
  limit: fc.option(fc.integer({ min: 1, max: 9 }), { freq: 1 }),
});

/** Every grouping of all calls and of those with one value of each dimension. */
const COMBINATIONS = [null, ...DIMENSION_NAMES].flatMap((dimension) =>
  (Object.keys(KEYS) as Gruppe[]).map((gruppe) => ({ gruppe, dimension })),
);

async function checkGrouping(
  { secret }: Mandant,
  calls: Call[],
  { gruppe, dimension }: (typeof COMBINATIONS)[number],
  { window, pick, limit }: Question,
): Promise<void> {
  const [von, bis] = window.map((value) => value * HOUR) as [number, number];
  const value = dimension && (calls[pick % calls.length]?.[dimension] ?? '');
  const inside = calls.filter(
    (call) => call.ms >= von && call.ms < bis && (!dimension || (call[dimension] ?? '') === value),
  );
  const parameters = {
    gruppe,
    von: new Date(von).toISOString(),
    bis: new Date(bis).toISOString(),
    ...(dimension ? { [dimension]: value ?? '' } : {}),
  };
  const question = JSON.stringify(parameters);
  const rows = expected(inside, gruppe);
  const whole = await read(secret, parameters);
  expect(whole.zeilen, question).toMatchObject(rows);
  expect(whole.zeilen, question).toHaveLength(rows.length);
  expect(whole.summe, question).toMatchObject(figuresOf(inside));
  if (limit === null) return;
  const first = await read(secret, { ...parameters, limit: String(limit) });
  expect(first.zeilen, question).toMatchObject(rows.slice(0, limit));
  const shown = new Set(first.zeilen.map(({ schluessel }: { schluessel: string }) => schluessel));
  const others = inside.filter((call) => !shown.has(KEYS[gruppe](call)));
  if (rows.length <= limit) expect(first.rest).toBeNull();
  else expect(first.rest).toMatchObject({ gruppen: rows.length - limit, ...figuresOf(others) });
  if (!first.weiter) return;
  const second = await read(secret, { ...parameters, limit: String(limit), nach: first.weiter });
  expect(second.zeilen, question).toMatchObject(rows.slice(limit, 2 * limit));
}

/** A day by project and end customer. */
async function checkDays({ secret }: Mandant, calls: Call[]): Promise<void> {
  for (const [datum, ofDay] of Map.groupBy(calls, KEYS.tag)) {
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

test('every grouping of every window, filtered or not, page by page, and every day is what its events sum up to', {
  timeout: fuzzTime(),
}, async () => {
  const { length } = COMBINATIONS;
  const questions = fc.array(anyQuestion, { minLength: length, maxLength: length });
  const property = fc.asyncProperty(anyCalls, questions, async (sent, asked) => {
    const mandant = await addMandant(sent);
    for (const [index, combination] of COMBINATIONS.entries())
      await checkGrouping(mandant, sent, combination, asked[index] as Question);
    await checkDays(mandant, sent);
  });
  await fc.assert(property, { numRuns: fuzzRuns(1), endOnFailure: true });
});

test('sums belong to the Mandant of the transaction; without one there are none', async () => {
  const von = Temporal.ZonedDateTime.from(`2026-01-01T00:00[${ZONE}]`);
  for (const count of [3, 5]) {
    const account = await registerAccount(service);
    const [sent = []] = fc.sample(anyCalls, 1);
    await addEvents(service, account.mandantId, sent.slice(0, count));
    const { summe } = await service.context.db.forMandant(mandantId(account.mandantId), (tx) =>
      consumptionByEngine(engineOf(service.context), tx, {
        window: { von, bis: von.add({ years: 1 }) },
        by: [],
      }),
    );
    expect(Number(summe.aufrufe)).toBe(count);
  }
  const tables = ['laufend_minute', 'laufend_stunde', 'stuecke', 'kurs', 'tagesstand'].map(
    (name) => `verbrauch_${name}`,
  );
  for (const table of [...tables, 'merkmale', 'laeufe', 'ereignisse', 'agenten', 'eingang']) {
    const unbound = await service.context.db.transaction((client) => client.query(`SELECT FROM ${table}`));
    expect(unbound.rowCount, table).toBe(0);
  }
});
