/** All providers of a month together; months made by chance. */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import type { PlainCall } from '#test/plain-calls.ts';
import { type Cause, type Reconciling, startReconciling } from '#test/reconciled.ts';

const Exact = Decimal.clone({ precision: 200, toExpNeg: -200, toExpPos: 200 });

let at: Reconciling;
beforeAll(async () => {
  at = await startReconciling();
});
afterAll(() => at?.stop());
beforeEach(async () => {
  at.service.clock.set('2026-11-05T10:30:00Z');
  await at.begin();
  await at.setRates({});
});

const call = async (...calls: PlainCall[]) => {
  await at.send(...calls);
  await at.count();
};

const addUp = (amounts: (string | null | undefined)[]) =>
  amounts.reduce((sum: Decimal, amount) => sum.plus(amount ?? 0), new Exact(0)).toFixed();

describe('all providers of a month', () => {
  it('are added up, the differences of those alone that have an invoice', async () => {
    await call({}, { anbieter: null, token: 20_000_000 }, { anbieter: 'anthropic', modell: 'nie-gehoert' });
    await at.invoice({ betrag: '1.65' });
    await at.invoice({ betrag: '7', anbieter: 'anthropic' });
    await at.invoice({ betrag: '0.5', anbieter: 'mistral' });
    expect((await at.read()).summen).toEqual([
      {
        monat: '2026-10',
        anbieter: 4,
        aufrufe: 3,
        unbepreist: 1,
        teilbepreist: 0,
        gemessen_eur: '4.5',
        geschaetzt_eur: '0',
        kosten_eur: '4.5',
        kosten_usd: '4.5',
        rechnung_eur: '9.15',
        verglichen: 2,
        verglichen_eur: '1.5',
        differenz_eur: '0.65',
        differenz_prozent: '43.33',
        ohne_rechnung: 1,
        ohne_rechnung_eur: '3',
      },
    ]);
  });

  it('are unknown where nothing is known, and not there where nothing was', async () => {
    expect((await at.read()).summen).toEqual([]);
    await call({ modell: 'nie-gehoert' });
    expect((await at.read()).summen).toMatchObject([
      {
        kosten_eur: null,
        rechnung_eur: null,
        verglichen: 0,
        verglichen_eur: null,
        differenz_eur: null,
        differenz_prozent: null,
        ohne_rechnung: 1,
        ohne_rechnung_eur: null,
      },
    ]);
  });

  it('are whole on every page that has a row of the month', async () => {
    await call({}, { anbieter: 'azure' }, { anbieter: 'azure', zeitpunkt: '2026-09-10T10:00:00Z' });
    const first = await at.read('limit=1');
    const second = await at.read(`limit=1&nach=${first.weiter}`);
    const third = await at.read(`limit=1&nach=${second.weiter}`);
    expect([first, second, third].map(({ zeilen }) => zeilen[0]?.anbieter)).toEqual([
      'azure',
      'openai',
      'azure',
    ]);
    const october = { monat: '2026-10', anbieter: 2, kosten_eur: '3' };
    expect(first.summen).toMatchObject([october]);
    expect(second.summen).toMatchObject([october]);
    expect(third.summen).toMatchObject([{ monat: '2026-09', anbieter: 1, kosten_eur: '1.5' }]);
  });
});

const anyRate = fc.integer({ min: 5 * 10 ** 9, max: 2 * 10 ** 10 }).map((n) => new Exact(n).div(10 ** 10));
const amount = fc.integer({ min: -(10 ** 6), max: 10 ** 6 }).map((n) => new Exact(n).div(10 ** 4).toFixed());
const TIMES = [
  '2026-09-30T22:30:00Z',
  '2026-10-10T10:00:00Z',
  '2026-10-11T10:00:00Z',
  '2026-10-20T23:59:59Z',
  '2026-10-31T22:59:00Z',
  '2026-10-31T23:30:00Z',
];
const month = fc.record({
  rates: fc.dictionary(
    fc.constantFrom('2026-09-28', '2026-10-01', '2026-10-10', '2026-10-11', '2026-10-21', '2026-11-02'),
    anyRate.map((rate) => rate.toFixed()),
  ),
  substitute: anyRate.map((rate) => rate.toFixed()),
  calls: fc.array(
    fc.record({
      anbieter: fc.constantFrom('openai', 'azure', null),
      modell: fc.constantFrom('gpt-4o-mini', 'nie-gehoert'),
      zeitpunkt: fc.constantFrom(...TIMES),
      token: fc.integer({ min: 0, max: 10 ** 9 }),
      geschaetzt: fc.boolean(),
    }),
    { maxLength: 10 },
  ),
  invoices: fc.array(
    fc.record({
      betrag: amount,
      waehrung: fc.constantFrom('EUR', 'USD'),
      kurs: fc.constantFrom('0.87', '0.9'),
      anbieter: fc.constantFrom('openai', 'azure', 'mistral'),
    }),
    { maxLength: 4 },
  ),
});

type Month = typeof month extends fc.Arbitrary<infer M> ? M : never;

/** By hand: what the calls of the month in UTC that were converted at the substitute would cost more at their reference rate. */
function expectedSubstitute({ rates, substitute, calls }: Month, anbieter: string | null) {
  const known = Object.keys(rates).sort();
  const dayOf = (at: string) =>
    Temporal.Instant.from(at).toZonedDateTimeISO('Europe/Berlin').toPlainDate().toString();
  const own = calls.filter(
    (each) =>
      each.anbieter === anbieter && each.modell === 'gpt-4o-mini' && each.zeitpunkt.startsWith('2026-10'),
  );
  let betrag = new Exact(0);
  let offen = new Exact(0);
  for (const { zeitpunkt, token } of own) {
    const day = dayOf(zeitpunkt);
    const last = known.findLast((tag) => tag <= day);
    const isNear = last !== undefined && Temporal.PlainDate.from(last).until(day).days <= 7;
    const usd = new Exact(token).times('0.15').div(10 ** 6);
    if (isNear && known.some((tag) => tag >= day))
      betrag = betrag.plus(usd.times(new Exact(rates[last] as string).minus(substitute)));
    else offen = offen.plus(usd.times(substitute));
  }
  return { betrag: betrag.toFixed(), offen: offen.toFixed() };
}

/** Whether all its invoices were paid in USD at one rate: the conversion is then known. */
const paidAtOne = ({ invoices }: Month, anbieter: string | null) => {
  const own = invoices.filter((each) => each.anbieter === anbieter);
  return (
    new Set(own.map(({ waehrung, kurs }) => `${waehrung} ${kurs}`)).size === 1 && own[0]?.waehrung === 'USD'
  );
};

const of = (found: Cause[], art: string) => found.find((each) => each.art === art);

type MonthRow = Awaited<ReturnType<Reconciling['read']>>['zeilen'][number];

/** The causes of a row add up to its difference, and tell exactly what the substitute rate has to do with it. */
function expectCauses(
  made: Month,
  { anbieter, differenz_eur, ursachen, rechnung_eur, aufrufe }: MonthRow,
): void {
  if (differenz_eur !== null) expect(addUp(ursachen.map((each) => each.betrag_eur))).toBe(differenz_eur);
  if (rechnung_eur === null || aufrufe === 0) return;
  const { betrag, offen } = expectedSubstitute(made, anbieter);
  if (differenz_eur !== null) expect(of(ursachen, 'ersatzkurs')?.betrag_eur ?? '0').toBe(betrag);
  const told = paidAtOne(made, anbieter) ? '0' : offen;
  expect(of(ursachen, 'ersatzkurs_offen')?.betroffen_eur ?? '0').toBe(told);
}

it(
  'over months made by chance causes add up to the difference, providers to the month, and the substitute is exact',
  async () => {
    await fc.assert(
      fc.asyncProperty(month, async (made) => {
        await at.begin();
        await at.setRates({});
        if (made.calls.length > 0) await at.send(...made.calls);
        await at.count(made.substitute);
        await at.setRates(made.rates);
        for (const body of made.invoices) await at.invoice(body);
        const { zeilen, summen } = await at.read();
        for (const row of zeilen) expectCauses(made, row);
        const [sum] = summen;
        expect(summen.length).toBe(zeilen.length > 0 ? 1 : 0);
        for (const name of ['kosten_eur', 'rechnung_eur', 'differenz_eur'] as const)
          expect(addUp([sum?.[name]])).toBe(addUp(zeilen.map((row) => row[name])));
        expect(sum?.aufrufe ?? 0).toBe(zeilen.reduce((all, { aufrufe }) => all + aufrufe, 0));
      }),
      { numRuns: fuzzRuns(12) },
    );
  },
  fuzzTime(),
);
