/** Whatever pieces hold (costs that differ in their last digit, calls taken back, priced late, proven repeats), answers are what the calls add up to. */
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DIMENSION_NAMES, type FigureName } from '#contracts';
import { textOf } from '#kernel/money.ts';
import { registerAccount } from '#test/account.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { addPiece, type MadeRow } from '#test/made-pieces.ts';
import { startService, type TestService } from '#test/service.ts';
import { askAllPages, askEngine, startEngine, type TestEngine } from '#test/sums-by-engine.ts';
import type { EngineQuestion } from './consumption-by-engine.ts';
import { isTime } from './question.ts';
import { textOfTime } from './times.ts';

const START = Date.parse('2026-10-23T20:00:00Z');
const HOUR = 3_600_000;
const window = {
  von: Temporal.ZonedDateTime.from('2026-10-23T00:00[Europe/Berlin]'),
  bis: Temporal.ZonedDateTime.from('2026-10-29T00:00[Europe/Berlin]'),
};

let service: TestService;
let own: TestEngine;
beforeAll(async () => {
  service = await startService();
  own = startEngine({ limits: { addedUpFrom: 1, writtenLaterFrom: 1 } });
});
afterAll(async () => {
  await own?.stop();
  await service?.stop();
});

const LARGE = 123_456_789n * 10n ** 34n;
/** In 10^-34 EUR: few of them, so that groups cost the same, or the same but for the last digit. */
const cost = fc.oneof(
  fc.constantFrom(0n, 1n, 2n, LARGE, LARGE + 1n, LARGE - 1n, 10n ** 22n, 10n ** 22n - 1n, 10n ** 37n),
  fc.bigInt({ min: 0n, max: 10n ** 40n }),
);

/** What becomes of a call once it is counted. */
const FATES = ['kept', 'kept', 'taken_back', 'priced_late', 'repeat'] as const;

const call = fc.record({
  ms: fc.integer({ min: 0, max: 100 * HOUR }).map((ms) => START + ms),
  values: fc.tuple(...DIMENSION_NAMES.map((_, index) => fc.nat(index % 3 === 0 ? 6 : 2))),
  cost: fc.option(cost),
  failed: fc.boolean(),
  latenz: fc.nat(4),
  eingabe_token: fc.oneof(fc.nat(10), fc.constant(Number.MAX_SAFE_INTEGER)),
  fate: fc.constantFrom(...FATES),
  /** In which piece it is, and in which one its change. */
  piece: fc.nat(3),
  change: fc.nat(3),
});
type Made = typeof call extends fc.Arbitrary<infer T> ? T : never;

const valuesOf = ({ values }: Made) =>
  Object.fromEntries(
    DIMENSION_NAMES.map((name, index) => [name, values[index] ? `${name[0]}${values[index]}` : '']),
  );

const priced = (amount: bigint): Partial<MadeRow> => ({
  kosten_eur: amount,
  kosten_usd: amount / 10n ** 10n,
});

/** The rows of a call: as it was counted, and what changed. */
function rowsOf(made: Made): { piece: number; row: MadeRow }[] {
  const { ms, latenz, eingabe_token, failed, fate, piece, change } = made;
  const amount = made.cost;
  const at = { ms, ...valuesOf(made) };
  const isLate = fate === 'priced_late' || amount === null;
  const first: MadeRow = {
    ...at,
    aufrufe: 1,
    aufgeteilt: 1,
    eingabe_token,
    latenz,
    ...(isLate ? { unbepreist: 1 } : priced(amount)),
    ...(failed ? { fehler: 1, ...(isLate ? {} : { verbranntes_geld_eur: amount }) } : {}),
  };
  const rows = [{ piece, row: first }];
  if (fate === 'taken_back') rows.push({ piece: change, row: { ...negated(first), latenz } });
  if (fate === 'priced_late' && amount !== null)
    rows.push({
      piece: change,
      row: { ...at, unbepreist: -1, ...priced(amount), ...(failed ? { verbranntes_geld_eur: amount } : {}) },
    });
  if (fate === 'repeat' && amount !== null && !failed)
    rows.push({ piece: change, row: { ...at, verbranntes_geld_eur: amount } });
  return rows;
}

const negated = (row: MadeRow): MadeRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      name === 'ms' || typeof value === 'string' ? value : -value,
    ]),
  ) as MadeRow;

/** What a call adds in the end, in whole calls and tokens and 10^-34. */
function figuresOf({ cost: amount, failed, fate, eingabe_token }: Made): Partial<Record<FigureName, bigint>> {
  const usd = amount === null ? 0n : (amount / 10n ** 10n) * 10n ** 10n;
  return {
    aufrufe: 1n,
    aufgeteilt: 1n,
    fehler: failed ? 1n : 0n,
    unbepreist: amount === null ? 1n : 0n,
    eingabe_token: BigInt(eingabe_token),
    kosten_usd: usd,
    kosten_eur: amount ?? 0n,
    verbranntes_geld_eur: failed || fate === 'repeat' ? (amount ?? 0n) : 0n,
  };
}

const sumOf = (calls: Made[], name: FigureName) =>
  calls.reduce((sum, made) => sum + (figuresOf(made)[name] ?? 0n), 0n);

function keyOf(made: Made, by: EngineQuestion['by']): string[] {
  const local = Temporal.Instant.fromEpochMilliseconds(made.ms).toZonedDateTimeISO('Europe/Berlin');
  return by.map((grouping) => {
    if (!isTime(grouping)) return valuesOf(made)[grouping] as string;
    if (grouping === 'tag') return local.toPlainDate().toString();
    const unit = grouping === 'stunde' ? HOUR : 60_000;
    return textOfTime(grouping, Math.floor(made.ms / unit) * (unit / 60_000));
  });
}

interface Expected {
  schluessel: string[];
  cost: bigint | null;
  aufrufe: string;
  unbepreist: string;
  eingabe_token: string;
  kosten_eur: string | null;
  kosten_usd: string | null;
  verbranntes_geld_eur: string;
}

function expectedOf(calls: Made[]): Omit<Expected, 'schluessel'> {
  const amount = sumOf(calls, 'kosten_eur');
  const isKnown = calls.some((made) => made.cost !== null);
  return {
    cost: isKnown ? amount : null,
    aufrufe: String(calls.length),
    unbepreist: String(sumOf(calls, 'unbepreist')),
    eingabe_token: String(sumOf(calls, 'eingabe_token')),
    kosten_eur: isKnown ? textOf(amount, 34) : null,
    kosten_usd: isKnown ? textOf(sumOf(calls, 'kosten_usd'), 34) : null,
    verbranntes_geld_eur: textOf(sumOf(calls, 'verbranntes_geld_eur'), 34),
  };
}

const byText = (a: string[], b: string[]) => {
  const index = a.findIndex((text, at) => text !== b[at]);
  return index < 0 ? 0 : Buffer.compare(Buffer.from(a[index] as string), Buffer.from(b[index] as string));
};

function groupsOf(calls: Made[], { by, order }: EngineQuestion): Expected[] {
  const groups = [...Map.groupBy(calls, (made) => JSON.stringify(keyOf(made, by)))].map(([key, of]) => ({
    schluessel: JSON.parse(key) as string[],
    ...expectedOf(of),
  }));
  const times = by.map((grouping, index) => (isTime(grouping) ? index : -1)).filter((index) => index >= 0);
  const inTime = (order ?? (times.length === by.length ? 'time' : 'cost')) === 'time';
  const timesOf = ({ schluessel }: Expected) =>
    inTime ? times.map((index) => schluessel[index] as string) : [];
  const rank = ({ cost: amount }: Expected) => (amount === null ? -1n : amount);
  return groups.sort(
    (a, b) =>
      byText(timesOf(a), timesOf(b)) ||
      (rank(a) === rank(b) ? byText(a.schluessel, b.schluessel) : rank(a) > rank(b) ? -1 : 1),
  );
}

const question = fc.record({
  by: fc.uniqueArray(fc.constantFrom(...DIMENSION_NAMES, 'tag', 'stunde', 'minute'), {
    minLength: 1,
    maxLength: 3,
  }),
  order: fc.constantFrom('cost', 'time', undefined),
  where: fc.uniqueArray(
    fc.record({
      dimension: fc.constantFrom(...DIMENSION_NAMES),
      picks: fc.array(fc.nat(6), { minLength: 1, maxLength: 3 }),
    }),
    { selector: ({ dimension }) => dimension, maxLength: 2 },
  ),
  limit: fc.integer({ min: 1, max: 6 }),
});

const inFilters = (made: Made, where: EngineQuestion['where'] = []) =>
  where.every(({ dimension, values }) => values.includes(valuesOf(made)[dimension] as string));

const withoutCost = ({ cost: _cost, ...row }: Omit<Expected, 'schluessel'>) => row;

test('pieces of any calls and changes add up to what the calls are, page by page', {
  timeout: fuzzTime(),
}, async () => {
  const property = fc.asyncProperty(
    fc.array(call, { minLength: 1, maxLength: 150 }),
    fc.array(question, { minLength: 6, maxLength: 12 }),
    async (calls, asked) => {
      const { mandantId: mandant } = await registerAccount(service);
      const pieces = Map.groupBy(calls.flatMap(rowsOf), ({ piece }) => piece);
      for (const rows of pieces.values())
        await addPiece(
          service,
          mandant,
          rows.map(({ row }) => row),
        );
      const left = calls.filter(({ fate }) => fate !== 'taken_back');
      for (const { limit, where: filters, ...rest } of asked) {
        const where = filters.map(({ dimension, picks }) => ({
          dimension,
          values: picks.map((pick) => (pick ? `${dimension[0]}${pick}` : '')),
        }));
        const whole = { window, where, ...rest } as EngineQuestion;
        const inside = left.filter((made) => inFilters(made, where));
        const expected = groupsOf(inside, whole).map(withoutCost);
        const answer = await askEngine(service, own.engine, mandant, whole);
        const shown = JSON.stringify(whole);
        expect(answer.zeilen, shown).toMatchObject(expected);
        expect(answer.zeilen, shown).toHaveLength(expected.length);
        expect(answer.summe, shown).toMatchObject(withoutCost(expectedOf(inside)));
        expect(await askAllPages(service, own.engine, mandant, { ...whole, limit }), shown).toEqual(
          answer.zeilen,
        );
      }
    },
  );
  await fc.assert(property, { numRuns: fuzzRuns(6), endOnFailure: true });
});

test('groups that cost the same by other calls, and one that costs a digit more, stand in order of their texts', async () => {
  const { mandantId: mandant } = await registerAccount(service);
  const total = 987_654_321_987_654_321n * 10n ** 22n + 7n;
  const amounts = fc.sample(fc.bigInt({ min: 0n, max: total }), { numRuns: 60, seed: 3 });
  const of = (agent: string, ...costs: bigint[]): MadeRow[] =>
    costs.map((kosten_eur) => ({ ms: START, agent, aufrufe: 1, aufgeteilt: 1, kosten_eur }));
  const rows = amounts.flatMap((part, index) => of(`a${100 + index}`, part, total - part));
  await addPiece(service, mandant, [...rows, ...of('z', total, 1n), ...of('b', total - 1n)]);
  const expected = ['z', ...amounts.map((_, index) => `a${100 + index}`), 'b'];
  for (const limit of [1, 7, 60]) {
    const zeilen = await askAllPages(service, own.engine, mandant, { window, by: ['agent'], limit });
    expect(zeilen.map(({ schluessel }) => schluessel[0])).toEqual(expected);
  }
});
