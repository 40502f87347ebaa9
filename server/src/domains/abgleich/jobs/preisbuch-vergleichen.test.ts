/** What calls cost by the price book beside the list, at the door. */
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { setBook } from '#test/counted-anew.ts';
import { fuzzRuns, fuzzTime } from '#test/fuzz.ts';
import { type Reconciling, startReconciling } from '#test/reconciled.ts';
import { compareOpenDays } from './gemeldete-vergleichen.ts';

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

const Exact = Decimal.clone({ precision: 100, toExpNeg: -100, toExpPos: 100 });
const list = createPriceList();
const RATE = '0.86';
const BOOK = {
  preise: [
    { anbieter: 'openai', modell: 'gpt-4o-mini', saetze: { eingabe: '0.1', ausgabe: '0' } },
    { modell: 'eigen', saetze: { eingabe: '2', ausgabe: '0' } },
  ],
  rabatte: [{ anbieter: 'azure', prozent: '12.5' }],
};

/** Compares the days that have rested. */
async function compare(): Promise<number> {
  await at.service.sql("UPDATE verbrauch_tagesstand SET geaendert_am = now() - interval '1 hour'");
  return compareOpenDays({ owner: at.owner, log: at.service.context.log }, list);
}
const rows = async () => (await at.read()).zeilen;

const call = fc.record({
  zeitpunkt: fc.constantFrom('2026-09-30T22:30:00Z', '2026-10-10T10:00:00Z', '2026-10-31T22:59:59Z'),
  anbieter: fc.constantFrom('openai', 'azure', 'mistral'),
  modell: fc.constantFrom('gpt-4o-mini', 'eigen', 'nie-gehoert'),
  token: fc.integer({ min: 0, max: 10 ** 8 }),
});
type Call = typeof call extends fc.Arbitrary<infer C> ? C : never;

/** By hand, in USD per million: by the price book and in the list; null where the one has none. */
function pricesOf({ anbieter, modell }: Call): [book: string | null, listed: string | null] {
  if (modell === 'eigen') return ['2', null];
  if (modell !== 'gpt-4o-mini') return [null, null];
  if (anbieter === 'openai') return ['0.1', '0.15'];
  return [anbieter === 'azure' ? '0.13125' : null, '0.15'];
}

function expected(calls: Call[]) {
  const booked = calls.filter((each) => pricesOf(each)[0] !== null);
  if (booked.length === 0) return null;
  const known = booked.filter((each) => pricesOf(each)[1] !== null);
  const eur = (own: Call[], side: 0 | 1) =>
    own.reduce(
      (sum, each) => sum.plus(new Exact(each.token).times(pricesOf(each)[side] as string).times(RATE)),
      new Exact(0),
    );
  const text = (sum: Decimal) => sum.div(10 ** 6).toFixed();
  return {
    aufrufe: booked.length,
    kosten_eur: text(eur(booked, 0)),
    verglichen: known.length,
    preisbuch_eur: text(eur(known, 0)),
    listenpreis_eur: text(eur(known, 1)),
    differenz_eur: text(eur(known, 0).minus(eur(known, 1))),
    offene_tage: 0,
  };
}

it(
  'is, by provider, exactly what own prices and discounts come to',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 1, maxLength: 30 }), async (calls) => {
        await at.begin();
        await setBook(at.service, at.account(), BOOK);
        await at.send(...calls);
        await at.count(RATE);
        await compare();
        for (const { anbieter, preisbuch } of await rows())
          expect(preisbuch, String(anbieter)).toEqual(
            expected(calls.filter((each) => each.anbieter === anbieter)),
          );
      }),
      { numRuns: fuzzRuns(8) },
    );
  },
  fuzzTime(),
);

it('is a cause without an amount: by which price was invoiced nobody can tell', async () => {
  await setBook(at.service, at.account(), BOOK);
  await at.send({}, { modell: 'eigen', token: 1 }, { anbieter: 'mistral' });
  await at.count();
  await compare();
  await at.invoice({ betrag: '1.5', waehrung: 'USD', kurs: '1' });
  await at.invoice({ betrag: '2', anbieter: 'mistral' });
  const [mistral, openai] = await rows();
  expect(openai?.ursachen).toEqual([
    { art: 'preisbuch', aufrufe: 2, betroffen_eur: '1.000002', betrag_eur: null },
    { art: 'ungeklaert', aufrufe: null, betroffen_eur: null, betrag_eur: '0.499998' },
  ]);
  expect(openai?.preisbuch?.differenz_eur).toBe('-0.5');
  expect(mistral).toMatchObject({
    preisbuch: null,
    ursachen: [{ art: 'unbepreist' }],
  });
});

it('is no cause where the price of the book is that of the list', async () => {
  const same = { modell: 'gpt-4o-mini', saetze: { eingabe: '0.15', ausgabe: '0' } };
  await setBook(at.service, at.account(), { preise: [same] });
  await at.send({});
  await at.count();
  await compare();
  await at.invoice({ betrag: '1', waehrung: 'USD', kurs: '1' });
  const [row] = await rows();
  expect(row?.preisbuch).toMatchObject({ aufrufe: 1, verglichen: 1, differenz_eur: '0', offene_tage: 0 });
  expect(row?.ursachen.map(({ art }) => art)).toEqual(['ungeklaert']);
});

it('is compared once for each state of a day, and anew by the former release’s notes', async () => {
  await at.send({});
  await at.count();
  expect(await compare()).toBe(0);
  await setBook(at.service, at.account(), BOOK);
  expect(await compare()).toBe(1);
  expect(await compare()).toBe(0);
  expect((await rows())[0]?.preisbuch).toBeNull();
  await at.send({ zeitpunkt: '2026-10-10T11:00:00Z' });
  await at.count();
  const own = [at.account().mandantId];
  const NOTED = 'UPDATE gemeldete_kosten_tage SET geaendert = geaendert + 1 WHERE mandant_id = $1';
  await at.service.sql(NOTED, own);
  expect(await compare()).toBe(1);
  expect((await rows())[0]?.preisbuch).toMatchObject({ aufrufe: 1, verglichen: 1, offene_tage: 0 });
  await at.send({ zeitpunkt: '2026-10-11T11:00:00Z' });
  await at.count();
  expect((await rows())[0]?.preisbuch).toMatchObject({ aufrufe: 1, offene_tage: 1 });
});

it('says which days it has not seen, where their calls are kept no longer', async () => {
  await setBook(at.service, at.account(), BOOK);
  await at.send({}, { zeitpunkt: '2026-10-20T10:00:00Z' });
  await at.count();
  try {
    await at.service.sql("UPDATE aufbewahrung SET ereignisse_ab = '2026-10-15T00:00:00Z'");
    expect(await compare()).toBe(1);
    expect((await rows())[0]?.preisbuch).toMatchObject({ aufrufe: 1, offene_tage: 1 });
  } finally {
    await at.service.sql('UPDATE aufbewahrung SET ereignisse_ab = NULL');
  }
});
