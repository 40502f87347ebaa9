/** A month's cost as a dataset of FOCUS 1.2: what was paid to providers, by end customer and model. */
import { stringify } from 'csv-stringify/sync';
import { eurFrom, eurText, usdFrom, usdText } from '#kernel/money.ts';

/** What one end customer used of one model in a month. */
export interface FocusRow {
  /** `korrektur`: what changed since in a month that was closed before. */
  art: 'verbrauch' | 'korrektur';
  /** Beginning and end of the month of the calls, ISO 8601 in UTC. */
  von: string;
  bis: string;
  /** Null for calls of no end customer; the reference is never empty. */
  endkunde: { referenz: string; name: string | null } | null;
  /** As events name it; null where they do not. */
  anbieter: string | null;
  modell: string;
  aufrufe: number;
  eingabe_token: bigint;
  ausgabe_token: bigint;
  /** All, alike for every provider; null where that is not known of all calls. */
  token: bigint | null;
  /** Exact plain decimals; null where no call has a known price, both of them. A correction has its cost in EUR alone. */
  kosten_eur: string | null;
  kosten_usd: string | null;
}

export interface FocusInfo {
  /** The Mandant. */
  konto: { id: string; name: string };
  /** Beginning and end of the billed month, ISO 8601 in UTC. */
  von: string;
  bis: string;
  /** By the name events have for it: who sells and invoices, who made the models. A provider that is not there is named as events do. */
  anbieter: Record<string, { name: string; hersteller: string }>;
  /** What stands for calls without a provider. */
  ohne_anbieter: string;
}

/** A cost that is not known cannot be told: FOCUS has no empty cost, and no 0 that means unknown. */
export const isTold = (row: FocusRow): boolean => row.kosten_eur !== null;

/** `2026-10-01T22:00:00Z`, in the few ways that a file has. */
function createInstants(): (text: string) => string {
  const written = new Map<string, string>();
  return (text) =>
    written.getOrInsertComputed(text, () => Temporal.Instant.from(text).toString({ smallestUnit: 'second' }));
}

/** A row with what several of its columns say. */
interface WrittenRow extends FocusRow {
  eur: string;
  provider: { name: string; hersteller: string };
}

type Cell = string | number | bigint | null;
interface Writing extends FocusInfo {
  instant: (text: string) => string;
}
type Writer = (row: WrittenRow, writing: Writing) => Cell;

const eur: Writer = (row) => row.eur;

/** Models are priced in USD; what is corrected is an amount in EUR. */
const pricingCurrency: Writer = ({ art }) => (art === 'korrektur' ? 'EUR' : 'USD');

function describe({ art, modell, aufrufe }: WrittenRow): Cell {
  const calls = `${aufrufe} ${Math.abs(aufrufe) === 1 ? 'call' : 'calls'}`;
  return art === 'korrektur' ? `${modell}: ${calls}` : `${calls} of ${modell}`;
}

function priced(row: WrittenRow): Cell {
  const { art, kosten_usd } = row;
  if (art === 'korrektur') return row.eur;
  if (kosten_usd === null) throw new RangeError('a cost in EUR that has none in USD');
  return usdText(usdFrom(kosten_usd));
}

/** FOCUS asks for a quantity of every use, a decimal: where no better one is known, it is that of the counts as sent. */
const tokens: Writer = ({ token, eingabe_token, ausgabe_token }) =>
  `${token ?? eingabe_token + ausgabe_token}.0`;

function providerOf({ anbieter }: FocusRow, info: FocusInfo) {
  const name = anbieter || info.ohne_anbieter;
  return Object.hasOwn(info.anbieter, name)
    ? (info.anbieter[name] as FocusInfo['anbieter'][string])
    : { name, hersteller: name };
}

const WRITERS: Record<string, Writer> = {
  BilledCost: eur,
  BillingAccountId: (_, { konto }) => konto.id,
  BillingAccountName: (_, { konto }) => konto.name,
  BillingCurrency: () => 'EUR',
  BillingPeriodEnd: (_, { bis, instant }) => instant(bis),
  BillingPeriodStart: (_, { von, instant }) => instant(von),
  ChargeCategory: () => 'Usage',
  ChargeClass: ({ art }) => (art === 'korrektur' ? 'Correction' : null),
  ChargeDescription: describe,
  ChargeFrequency: () => 'Usage-Based',
  ChargePeriodEnd: ({ bis }, { instant }) => instant(bis),
  ChargePeriodStart: ({ von }, { instant }) => instant(von),
  // No charge is of a discount for a commitment; what was consumed is judged by it.
  CommitmentDiscountStatus: () => null,
  ConsumedQuantity: tokens,
  ConsumedUnit: () => 'Tokens',
  ContractedCost: eur,
  EffectiveCost: eur,
  InvoiceId: () => null,
  // What another one invoices costs nothing here, by FOCUS.
  InvoiceIssuerName: ({ provider }) => provider.name,
  ListCost: eur,
  PricingCategory: () => 'Standard',
  PricingCurrency: pricingCurrency,
  PricingCurrencyEffectiveCost: priced,
  PricingQuantity: tokens,
  PricingUnit: () => 'Tokens',
  ProviderName: ({ provider }) => provider.name,
  PublisherName: ({ provider }) => provider.hersteller,
  ServiceCategory: () => 'AI and Machine Learning',
  ServiceName: ({ provider }) => `${provider.name} API`,
  ServiceSubcategory: () => 'Generative AI',
  SkuId: ({ modell }) => modell,
  SkuMeter: () => 'Tokens',
  SubAccountId: ({ endkunde }) => endkunde?.referenz || null,
  SubAccountName: ({ endkunde }) => endkunde?.name || endkunde?.referenz || null,
  x_Calls: ({ aufrufe }) => aufrufe,
  x_InputTokens: ({ eingabe_token }) => eingabe_token,
  x_OutputTokens: ({ ausgabe_token }) => ausgabe_token,
};

const lines = (records: string[][]): string =>
  stringify(records, { record_delimiter: '\r\n', quote_record_delimiter: true });

/**
 * CSV as machines read it: UTF-8 without a byte-order mark, commas, decimal points, an empty cell for null. Texts are told as they are, also
 * where a spreadsheet would take them for a formula. Rows without a known cost are left out (`isTold`). Amounts are exact. A piece for each
 * page of rows. Throws RangeError for amounts and times that are none.
 */
export async function* writeFocus(
  info: FocusInfo,
  pages: Iterable<readonly FocusRow[]> | AsyncIterable<readonly FocusRow[]>,
): AsyncGenerator<string, void> {
  const writers = Object.values(WRITERS);
  const writing = { ...info, instant: createInstants() };
  const written = (row: FocusRow): WrittenRow => ({
    ...row,
    eur: eurText(eurFrom(row.kosten_eur as string)),
    provider: providerOf(row, info),
  });
  yield lines([Object.keys(WRITERS)]);
  for await (const page of pages)
    yield lines(
      page
        .filter(isTold)
        .map(written)
        .map((row) => writers.map((write) => String(write(row, writing) ?? ''))),
    );
}
