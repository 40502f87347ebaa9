import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { eurFrom, eurText } from '#kernel/money.ts';
import { checkFocus } from '#test/formats/focus/check.ts';
import { COLUMNS } from '#test/formats/focus/columns.ts';
import { type FocusInfo, type FocusRow, isTold, writeFocus } from './write.ts';

const INFO: FocusInfo = {
  konto: { id: 'm-1', name: 'Muster GmbH' },
  von: '2026-09-30T22:00:00Z',
  bis: '2026-10-31T23:00:00Z',
  anbieter: { openai: { name: 'OpenAI', hersteller: 'OpenAI' } },
  ohne_anbieter: 'Unbekannter Anbieter',
};

const row = (more: Partial<FocusRow> = {}): FocusRow => ({
  art: 'verbrauch',
  von: '2026-10-24T22:00:00.000Z',
  bis: '2026-10-25T23:00:00.000Z',
  endkunde: { referenz: 'kunde-1', name: 'Müller, Söhne' },
  anbieter: 'openai',
  modell: 'gpt-4o',
  aufrufe: 12,
  eingabe_token: 1000n,
  ausgabe_token: 234n,
  token: 3234n,
  kosten_eur: '0.0000000000000000000000000000000001',
  kosten_usd: '0.000000000000000000000001',
  ...more,
});

const write = async (rows: FocusRow[]) => (await Array.fromAsync(writeFocus(INFO, [rows]))).join('');
const read = (csv: string) => parse(csv, { columns: true }) as Record<string, string>[];
const check = (csv: string) =>
  checkFocus(Buffer.from(csv)).map(({ code, zeile, spalte }) => `${code} ${zeile}:${spalte ?? '-'}`);

test('a row tells what one end customer used of one model, exactly', async () => {
  const csv = await write([row()]);
  expect(read(csv)).toEqual([
    {
      BilledCost: '0.0000000000000000000000000000000001',
      BillingAccountId: 'm-1',
      BillingAccountName: 'Muster GmbH',
      BillingCurrency: 'EUR',
      BillingPeriodEnd: '2026-10-31T23:00:00Z',
      BillingPeriodStart: '2026-09-30T22:00:00Z',
      ChargeCategory: 'Usage',
      ChargeClass: '',
      ChargeDescription: '12 calls of gpt-4o',
      ChargeFrequency: 'Usage-Based',
      ChargePeriodEnd: '2026-10-25T23:00:00Z',
      ChargePeriodStart: '2026-10-24T22:00:00Z',
      CommitmentDiscountStatus: '',
      ConsumedQuantity: '3234.0',
      ConsumedUnit: 'Tokens',
      ContractedCost: '0.0000000000000000000000000000000001',
      EffectiveCost: '0.0000000000000000000000000000000001',
      InvoiceId: '',
      InvoiceIssuerName: 'OpenAI',
      ListCost: '0.0000000000000000000000000000000001',
      PricingCategory: 'Standard',
      PricingCurrency: 'USD',
      PricingCurrencyEffectiveCost: '0.000000000000000000000001',
      PricingQuantity: '3234.0',
      PricingUnit: 'Tokens',
      ProviderName: 'OpenAI',
      PublisherName: 'OpenAI',
      ServiceCategory: 'AI and Machine Learning',
      ServiceName: 'OpenAI API',
      ServiceSubcategory: 'Generative AI',
      SkuId: 'gpt-4o',
      SkuMeter: 'Tokens',
      SubAccountId: 'kunde-1',
      SubAccountName: 'Müller, Söhne',
      x_Calls: '12',
      x_InputTokens: '1000',
      x_OutputTokens: '234',
    },
  ]);
  expect(csv.endsWith('\r\n')).toBe(true);
  expect(check(csv)).toEqual([]);
});

test('a correction is of its own day, in the month that is billed', async () => {
  const csv = await write([
    row({
      art: 'korrektur',
      von: '2026-08-01T22:00:00Z',
      bis: '2026-08-02T22:00:00Z',
      modell: 'Korrektur 2026-08',
      kosten_eur: '-1.5',
    }),
  ]);
  expect(read(csv)[0]).toMatchObject({
    ChargeClass: 'Correction',
    ChargeDescription: 'Korrektur 2026-08: 12 calls',
    ChargePeriodStart: '2026-08-01T22:00:00Z',
    BillingPeriodStart: '2026-09-30T22:00:00Z',
    BilledCost: '-1.5',
  });
  expect(check(csv)).toEqual([]);
});

test('what is not known is null, never 0; a row without a cost is not told', async () => {
  const rows = [row({ kosten_eur: null, kosten_usd: null }), row({ endkunde: null, anbieter: null })];
  const csv = await write(rows);
  expect(rows.map(isTold)).toEqual([false, true]);
  expect(read(csv)).toHaveLength(1);
  expect(read(csv)[0]).toMatchObject({
    SubAccountId: '',
    SubAccountName: '',
    ProviderName: 'Unbekannter Anbieter',
  });
  expect(check(csv)).toEqual([]);
  await expect(write([row({ kosten_usd: null })])).rejects.toThrow(RangeError);
});

test('a dataset without rows is one', async () => expect(check(await write([]))).toEqual([]));

test('the table has the 57 columns of FOCUS 1.2, each once, in order', () => {
  const ids = COLUMNS.map(({ id }) => id);
  expect(new Set(ids).size).toBe(57);
  expect([...ids].sort()).toEqual(ids);
  for (const { empty } of COLUMNS)
    if (typeof empty === 'object') expect(ids).toContain('with' in empty ? empty.with : empty.without);
});

const GOOD = read(await write([row()]))[0] as Record<string, string>;

describe('one fault is one finding', () => {
  /** The file with other cells; undefined takes the column away. */
  const changed = (cells: Record<string, string | undefined>) => {
    const all = Object.entries({ ...GOOD, ...cells }).filter(([, text]) => text !== undefined);
    const quote = (text = '') => `"${text.replaceAll('"', '""')}"`;
    return `${all.map(([id]) => quote(id)).join(',')}\r\n${all.map(([, text]) => quote(text)).join(',')}\r\n`;
  };
  const MADE = {
    ListUnitPrice: '0.5',
    PricingQuantity: '2',
    ListCost: '1',
    BilledCost: '1',
    ContractedCost: '1',
  };

  test.each<[Record<string, string | undefined>, string]>([
    [{ BilledCost: undefined }, 'spalte_fehlt 1:BilledCost'],
    [{ ChargeClass: undefined }, 'spalte_fehlt 1:ChargeClass'],
    [{ InvoiceId: undefined }, 'spalte_empfohlen 1:InvoiceId'],
    [{ Kunde: 'x' }, 'spalte_unbekannt 1:Kunde'],
    [{ BilledCost: '' }, 'leer 2:BilledCost'],
    [{ BilledCost: '1,5' }, 'form 2:BilledCost'],
    [{ EffectiveCost: '+1' }, 'form 2:EffectiveCost'],
    [{ EffectiveCost: '1e-7' }, 'form 2:EffectiveCost'],
    [{ EffectiveCost: '5 EUR' }, 'form 2:EffectiveCost'],
    [{ ListCost: '7' }, 'kosten_ungleich 2:ListCost'],
    [{ ContractedCost: '7' }, 'kosten_ungleich 2:ContractedCost'],
    [{ ...MADE, ListCost: '1.1' }, 'kosten_ungleich 2:ListCost'],
    [{ ...MADE, ListUnitPrice: '-0.5' }, 'form 2:ListUnitPrice'],
    [{ ...MADE, ListUnitPrice: '' }, 'leer 2:ListUnitPrice'],
    [{ BillingAccountId: '' }, 'leer 2:BillingAccountId'],
    [{ BillingAccountName: 'N/A' }, 'platzhalter 2:BillingAccountName'],
    [{ InvoiceId: 'NULL' }, 'platzhalter 2:InvoiceId'],
    [{ ProviderName: '  ' }, 'form 2:ProviderName'],
    [{ BillingCurrency: 'Euro' }, 'form 2:BillingCurrency'],
    [{ PricingCurrency: '' }, 'leer 2:PricingCurrency'],
    [{ BillingPeriodEnd: '2026-10-31' }, 'form 2:BillingPeriodEnd'],
    [{ BillingPeriodEnd: '2026-10-32T00:00:00Z' }, 'form 2:BillingPeriodEnd'],
    [{ BillingPeriodEnd: '2026-09-30T22:00:00Z' }, 'zusammenhang 2:BillingPeriodEnd'],
    [{ ChargePeriodStart: '2026-10-25T00:00:00+02:00' }, 'form 2:ChargePeriodStart'],
    [{ ChargePeriodEnd: '2026-10-24T22:00:00Z' }, 'zusammenhang 2:ChargePeriodEnd'],
    [{ ChargeCategory: 'usage' }, 'wert 2:ChargeCategory'],
    [{ ChargeClass: 'Regular' }, 'wert 2:ChargeClass'],
    [{ ChargeFrequency: 'Daily' }, 'wert 2:ChargeFrequency'],
    [
      { ChargeCategory: 'Purchase', ConsumedQuantity: '', ConsumedUnit: '' },
      'zusammenhang 2:ChargeFrequency',
    ],
    [{ ChargeCategory: 'Credit' }, 'nicht_leer 2:ConsumedQuantity'],
    [{ ConsumedQuantity: '', ConsumedUnit: '' }, 'leer 2:ConsumedQuantity'],
    [{ ConsumedUnit: '' }, 'leer 2:ConsumedUnit'],
    [{ PricingQuantity: '', PricingUnit: '' }, 'leer 2:PricingQuantity'],
    [{ PricingUnit: '' }, 'leer 2:PricingUnit'],
    [{ PricingCategory: 'Spot' }, 'wert 2:PricingCategory'],
    [{ SkuId: '', SkuMeter: '' }, 'leer 2:SkuId'],
    [{ SubAccountId: '' }, 'nicht_leer 2:SubAccountName'],
    [{ SubAccountName: '' }, 'leer 2:SubAccountName'],
    [{ ServiceCategory: 'AI' }, 'wert 2:ServiceCategory'],
    [{ ServiceCategory: 'Compute' }, 'zusammenhang 2:ServiceSubcategory'],
    [{ ServiceSubcategory: 'Chat' }, 'wert 2:ServiceSubcategory'],
    [{ Tags: '{"a":{}}' }, 'form 2:Tags'],
    [{ Tags: 'a=b' }, 'form 2:Tags'],
    [{ RegionId: '', RegionName: 'Frankfurt' }, 'nicht_leer 2:RegionName'],
    [{ ResourceId: '', ResourceName: 'a' }, 'nicht_leer 2:ResourceName'],
  ])('%j', (cells, found) => {
    expect(check(changed(cells))).toEqual([found]);
  });

  test.each<Record<string, string | undefined>>([
    { Tags: '{"a":1,"b":null}' },
    { EffectiveCost: '1.5E-7' },
    MADE,
    {
      ChargeClass: 'Correction',
      ListCost: '9',
      PricingQuantity: '',
      PricingUnit: '',
      ConsumedQuantity: '',
      ConsumedUnit: '',
    },
    { x_Own: 'N/A' },
  ])('and none of these is one: %j', (cells) => {
    expect(check(changed(cells))).toEqual([]);
  });

  test('nor are files that are none answered with anything else', () => {
    const csv = changed({});
    expect(check('')).toEqual(['unlesbar 1:-']);
    expect(check('a,"b')).toEqual(['unlesbar 1:-']);
    expect(checkFocus(Uint8Array.of(0x61, 0xff)).map(({ code }) => code)).toEqual(['unlesbar']);
    expect(check(`${csv}a,b\r\n`)).toEqual(['zellenzahl 3:-']);
    expect(check(csv.replace('"BilledCost"', '"ListCost"'))).toContain('spalte_doppelt 1:ListCost');
  });
});

const costs = fc
  .bigInt({ min: -(10n ** 44n), max: 10n ** 44n })
  .map((amount) => eurText(amount as ReturnType<typeof eurFrom>));
const name = fc.stringMatching(/^[a-zäß=+,;"'\n@-]{1,20}[a-z]$/);
const ROWS = fc.array(
  fc
    .record({
      art: fc.constantFrom('verbrauch' as const, 'korrektur' as const),
      endkunde: fc.option(fc.record({ referenz: name, name: fc.option(name) })),
      anbieter: fc.option(name),
      modell: name,
      eingabe_token: fc.bigInt({ min: 0n, max: 10n ** 20n }),
      kosten_eur: fc.option(costs),
    })
    .map((more) => row({ ...more, kosten_usd: more.kosten_eur === null ? null : '1' })),
  { maxLength: 20 },
);

test('whatever is written has no finding, and what is billed adds up exactly', async () => {
  await fc.assert(
    fc.asyncProperty(ROWS, async (rows) => {
      const csv = await write(rows);
      expect(await write(rows)).toBe(csv);
      expect(check(csv)).toEqual([]);
      const known = rows.filter(isTold);
      const sum = (texts: (string | null | undefined)[]) =>
        texts.reduce<bigint>((all, text) => all + eurFrom(text as string), 0n);
      const told = read(csv);
      expect(told.map(({ SubAccountId }) => SubAccountId)).toEqual(
        known.map(({ endkunde }) => endkunde?.referenz ?? ''),
      );
      expect(sum(told.map(({ BilledCost }) => BilledCost))).toBe(
        sum(known.map(({ kosten_eur }) => kosten_eur)),
      );
      expect(csv).not.toMatch(/\d[eE][+-]?\d/);
    }),
  );
});
