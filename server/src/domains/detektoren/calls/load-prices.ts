/** The rates of the models of a look, as rows that statements multiply with: what another way of calling would have cost. */
import {
  createMandantPrices,
  type ModelRates,
  type PriceList,
  type PricesOfMandant,
  type RatesAt,
} from '#domains/preise/index.ts';
import type { RegelVon } from '#domains/regeln/index.ts';
import { textOf, USD_SCALE } from '#kernel/money.ts';
import type { Look } from '../detector.ts';
import { callsOfLook, createValues } from './statement.ts';

const HALF_HOUR = 30 * 60_000;
/** Of Mandanten with more models the most used; what the others could save stays unknown. */
const MAX_MODELS = 1_000;

const MODELS = `
  SELECT anbieter, modell, min(zeitpunkt) AS von FROM gefragt WHERE modell <> ''
  GROUP BY anbieter, modell ORDER BY count(*) DESC, anbieter, modell LIMIT ${MAX_MODELS}`;

interface Called extends ModelName {
  /** When it was called first. */
  von: string;
}

/** The models of what detectors read, with those of the steps as they are loaded. */
async function calledModels(look: Look, source: PricedSource): Promise<Called[]> {
  const values = createValues();
  const read =
    source === 'schritte'
      ? 'gefragt AS NOT MATERIALIZED (SELECT * FROM detektoren_schritte)'
      : `${callsOfLook(look, values)}, gefragt AS NOT MATERIALIZED (SELECT * FROM aufrufe)`;
  const { rows } = await look.client.query<Called>(`WITH ${read} ${MODELS}`, values.all);
  return rows;
}

const INSERT = `
  INSERT INTO detektoren_preise
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS p (anbieter text, modell text, von timestamptz, bis timestamptz, ab numeric,
    hoechstens numeric, eingabe numeric, lesen numeric, schreiben numeric, ausgabe numeric, aufruf numeric)`;

interface ModelName {
  anbieter: string;
  modell: string;
}

const BUCKETS = { eingabe: 'input', lesen: 'cacheRead', schreiben: 'cacheWrite', ausgabe: 'output' } as const;
/** More than any call has. */
const ENDLESS = 1e18;

type Rate = ModelRates['input'];

function priceAt(rate: Rate, input: number): string | null {
  if (!rate) return null;
  let price = rate.base;
  for (const tier of rate.tiers) if (input >= tier.start) price = tier.price;
  return textOf(price, USD_SCALE);
}

/** One row for each stretch of input tokens over which no rate changes. */
function tiersOf(rates: ModelRates): Record<string, unknown>[] {
  const all = [rates.perCall, ...Object.values(BUCKETS).map((bucket) => rates[bucket])];
  const starts = new Set(all.flatMap((rate) => rate?.tiers.map(({ start }) => start) ?? []));
  // A tier applies to calls with more than its start.
  const bounds = [-1, ...[...starts].sort((a, b) => a - b), ENDLESS];
  return bounds.slice(0, -1).map((ab, index) => ({
    ab,
    hoechstens: bounds[index + 1],
    ...Object.fromEntries(
      Object.entries(BUCKETS).map(([name, bucket]) => [name, priceAt(rates[bucket], ab)]),
    ),
    aufruf: priceAt(rates.perCall, ab) ?? '0',
  }));
}

/** The stretches of time, in whole half hours, over which a model has the same rates. */
function* periodsOf(ratesAt: RatesAt, von: number, bis: number) {
  let begin = von;
  for (let at = von; at < bis; at += HALF_HOUR) {
    const next = at + HALF_HOUR;
    if (next < bis && ratesAt(next) === ratesAt(begin)) continue;
    const rates = ratesAt(begin);
    if (rates) yield { von: begin, bis: next, rates };
    begin = next;
  }
}

/** What is read of whose models the rates are asked for. */
export type PricedSource = 'schritte' | 'aufrufe';

const INSERT_APPROVED = `INSERT INTO detektoren_ersatz
  SELECT * FROM unnest($1::text[], $2::text[])`;

/** As LIKE has it. */
const toLike = (pattern: string) => pattern.replace(/[\\%_]/g, '\\$&').replaceAll('*', '%');

/** Notes which approved model may stand for which; resolves with the approved ones. */
async function loadApproved(look: Look, { approved }: PricesOfMandant): Promise<string[]> {
  const pairs = approved.flatMap(({ modell, ersetzt }) =>
    ersetzt.map((pattern) => [modell, toLike(pattern)]),
  );
  if (pairs.length > 0)
    await look.client.query(INSERT_APPROVED, [
      pairs.map(([modell]) => modell),
      pairs.map(([, like]) => like),
    ]);
  return [...new Set(pairs.map(([modell]) => modell as string))];
}

/** Models that calls could have used instead: those that the rules allow, or the Mandant has approved. */
async function othersOf(look: Look, own: PricesOfMandant, rules: readonly RegelVon[]): Promise<ModelName[]> {
  const judging = rules.filter((rule) => rule.typ === 'modell_zu_gross');
  const allowed = judging.flatMap(({ parameter }) => parameter.erlaubt);
  const isOpen = judging.some(({ parameter }) => parameter.erlaubt.length === 0);
  const approved = isOpen ? await loadApproved(look, own) : [];
  return [...allowed, ...approved].map((modell) => ({ anbieter: '', modell }));
}

/**
 * Loads the Mandant's rates of the models that were called, and of those that these rules would have allowed instead. After the steps,
 * once in the transaction.
 */
export async function loadPrices(
  look: Look,
  list: PriceList,
  sources: Iterable<PricedSource>,
  rules: readonly RegelVon[],
): Promise<void> {
  const own = await createMandantPrices(list).current(look.client, look.mandant, look.zone);
  const { prices } = own;
  const others = await othersOf(look, own, rules);
  const called: Called[] = [];
  for (const source of sources) called.push(...(await calledModels(look, source)));
  if (called.length === 0) return;
  const first = Math.min(...called.map(({ von }) => Date.parse(von)));
  const von = Math.floor(first / HALF_HOUR) * HALF_HOUR;
  const models = new Map([...called, ...others].map((name) => [`${name.anbieter}\n${name.modell}`, name]));
  const rows = [...models.values()].flatMap(({ anbieter, modell }) =>
    [...periodsOf(prices.model(anbieter, modell), von, look.bis.epochMilliseconds)].flatMap((period) =>
      tiersOf(period.rates).map((tier) => ({
        anbieter,
        modell,
        von: new Date(period.von).toISOString(),
        bis: new Date(period.bis).toISOString(),
        ...tier,
      })),
    ),
  );
  await look.client.query(INSERT, [JSON.stringify(rows)]);
  // Of few calls the rates are few, too, and what is planned of them for the next Mandant stays.
  if (!look.few) await look.client.query('ANALYZE detektoren_preise');
}
