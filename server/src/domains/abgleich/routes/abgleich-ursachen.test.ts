/** Causes of a difference whose amount can be worked out, and those whose cannot. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PlainCall } from '#test/plain-calls.ts';
import { type Reconciling, startReconciling } from '#test/reconciled.ts';

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
const causes = async () => (await at.read()).zeilen[0]?.ursachen;

describe('the substitute rate', () => {
  it('is a cause where the reference rate of the day is known by now', async () => {
    await call({});
    await at.setRates({ '2026-10-09': '0.9', '2026-10-12': '0.95' });
    await at.invoice({ betrag: '1.35' });
    expect(await causes()).toEqual([
      { art: 'ersatzkurs', aufrufe: null, betroffen_eur: '1.5', betrag_eur: '-0.15' },
    ]);
  });

  it('is told apart from the rate an invoice was paid at', async () => {
    await call({}, { zeitpunkt: '2026-10-13T10:00:00Z' });
    await at.setRates({ '2026-10-09': '0.9', '2026-10-12': '0.95', '2026-10-13': '0.8' });
    await at.invoice({ betrag: '3', waehrung: 'USD', kurs: '0.92' });
    // At reference rates 1.35 and 1.2 EUR, paid were 2.76.
    expect(await causes()).toMatchObject([
      { art: 'wechselkurs', betroffen_eur: '3', betrag_eur: '0.21' },
      { art: 'ersatzkurs', betroffen_eur: '3', betrag_eur: '-0.45' },
    ]);
  });

  it('amounts to nothing known where no reference rate is final, and the answer says what rests on it', async () => {
    // The 25th has no rate within a week before it, the 30th none behind it.
    await call({}, { zeitpunkt: '2026-10-25T10:00:00Z' }, { zeitpunkt: '2026-10-30T10:00:00Z', token: 1 });
    await at.setRates({ '2026-10-09': '0.9', '2026-10-12': '0.95', '2026-10-29': '0.8' });
    await at.invoice({ betrag: '3' });
    expect(await causes()).toMatchObject([
      { art: 'ersatzkurs', betroffen_eur: '1.5', betrag_eur: '-0.15' },
      { art: 'ersatzkurs_offen', betroffen_eur: '1.50000015', betrag_eur: null },
      { art: 'ungeklaert', betrag_eur: '0.14999985' },
    ]);
  });

  it('may have changed between two hours, not within one', async () => {
    await call({}, { zeitpunkt: '2026-10-10T12:00:00Z' });
    await at.send({ zeitpunkt: '2026-10-10T12:30:00Z' }, { zeitpunkt: '2026-10-10T13:00:00Z' });
    await at.count('0.8');
    await at.setRates({ '2026-10-10': '0.95' });
    await at.invoice({ betrag: '5.4' });
    // 1.5 and 1.2 EUR on their own; of the hour between 2.7 EUR at two rates.
    expect(await causes()).toMatchObject([
      { art: 'ersatzkurs', betroffen_eur: '2.7', betrag_eur: '0.15' },
      { art: 'ersatzkurs_offen', betroffen_eur: '2.7' },
      { art: 'ungeklaert', betrag_eur: '-0.15' },
    ]);
  });

  it('is no cause of calls that have a reference rate', async () => {
    await at.setRates({ '2026-10-09': '0.9' });
    await call({});
    await at.setRates({ '2026-10-09': '0.7', '2026-10-12': '0.95' });
    await at.invoice({ betrag: '1' });
    expect(await causes()).toMatchObject([{ art: 'ungeklaert', betrag_eur: '-0.35' }]);
  });
});

describe('calls that are not counted', () => {
  it('stand with their number where they may be of the month', async () => {
    at.service.clock.set('2026-09-29T12:00:00Z');
    await at.send({ zeitpunkt: '2026-09-20T10:00:00Z' });
    at.service.clock.set('2026-11-05T10:30:00Z');
    await at.send({}, {}, {});
    await at.service.sql(
      `INSERT INTO eingang_unzaehlbar SELECT mandant_id, gen_random_uuid(), empfangen_am, schluessel_id, projekt, 7, umfang, daten, 'kaputt'
       FROM eingang WHERE mandant_id = $1`,
      [at.account().mandantId],
    );
    await at.invoice({ betrag: '9' });
    expect((await at.read()).zeilen).toMatchObject([
      {
        aufrufe: 0,
        differenz_eur: '9',
        ursachen: [
          { art: 'nicht_gezaehlt', betrag_eur: '9' },
          { art: 'wartend', aufrufe: 3, betrag_eur: null },
          { art: 'unzaehlbar', aufrufe: 7, betrag_eur: null },
        ],
      },
    ]);
    await at.count();
    const found = await causes();
    expect(found?.map(({ art, aufrufe }) => [art, aufrufe])).toEqual([
      ['ersatzkurs_offen', null],
      ['unzaehlbar', 7],
      ['ungeklaert', null],
    ]);
    // The Mandant beside it knows nothing of them.
    await at.begin();
    await at.invoice({ betrag: '9' });
    expect(await causes()).toMatchObject([{ art: 'nicht_gezaehlt' }]);
  });
});

describe('rounding', () => {
  it('is the rest below a cent, where the invoice is to the cent', async () => {
    await call({ token: 10_000_123 });
    await at.setRates({ '2026-10-10': '1' });
    await at.invoice({ betrag: '1.5' });
    expect(await causes()).toMatchObject([{ art: 'rundung', betrag_eur: '-0.00001845' }]);
  });

  it('is not a larger rest, or of an invoice that says more than cents', async () => {
    await call({ token: 10_000_123 });
    await at.setRates({ '2026-10-10': '1' });
    await at.invoice({ betrag: '1.511' });
    expect(await causes()).toMatchObject([{ art: 'ungeklaert', betrag_eur: '0.01098155' }]);
    await at.invoice({ betrag: '-0.011' });
    expect(await causes()).toMatchObject([{ art: 'ungeklaert', betrag_eur: '-0.00001845' }]);
  });
});

it('is about the local month where hours do not begin with those in UTC', async () => {
  await at.service.sql("UPDATE mandanten SET zeitzone = 'Asia/Kolkata' WHERE mandant_id = $1", [
    at.account().mandantId,
  ]);
  // The first of October there, the last of September in UTC; then the first of November there.
  await call({ zeitpunkt: '2026-09-30T18:30:00Z' }, { zeitpunkt: '2026-10-31T18:30:00Z', token: 2_000_000 });
  await at.setRates({ '2026-09-30': '0.7', '2026-10-01': '0.9' });
  await at.invoice({ betrag: '1.35' });
  expect(await causes()).toMatchObject([{ art: 'ersatzkurs', betroffen_eur: '1.5', betrag_eur: '-0.15' }]);
});

it('leaves nothing open where the rate that was paid is known', async () => {
  await call({});
  await at.invoice({ betrag: '1.5', waehrung: 'USD', kurs: '0.92' });
  expect(await causes()).toMatchObject([{ art: 'wechselkurs', betrag_eur: '-0.12' }]);
});

it('a month of several calls has the same causes', async () => {
  for (const zeitpunkt of ['2026-10-10T10:00:00Z', '2026-10-10T11:00:00Z']) await call({ zeitpunkt });
  await at.setRates({ '2026-10-10': '0.9' });
  await at.invoice({ betrag: '2.7' });
  expect(await causes()).toMatchObject([{ art: 'ersatzkurs', betroffen_eur: '3', betrag_eur: '-0.3' }]);
});
