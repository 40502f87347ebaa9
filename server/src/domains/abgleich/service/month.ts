/** A month: its providers, each with what was counted and invoiced, and all of them together. */
import { FUTURE_LIMIT } from '#domains/ereignisse/index.ts';
import { createExchangeRates } from '#domains/preise/index.ts';
import {
  consumptionByEngine,
  type EngineConsumption,
  type Snapshot,
  type SumsRow,
  substituted,
} from '#domains/verbrauch/index.ts';
import { windowOf } from '#domains/weiterbelastung/index.ts';
import { toCount } from '#kernel/count.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import {
  type Circumstances,
  type Costs,
  type Counted,
  causesOf,
  differenceOf,
  Exact,
  type Invoice,
  percentOf,
  type Row,
  type Substituted,
  type Sum,
  substitutedOf,
  sumOf,
  sumText,
} from '../rules.ts';
import {
  countOpenDays,
  type Reported,
  readBooked,
  readRates,
  readReported,
  readUncounted,
} from '../store/around.ts';
import { readInvoices } from '../store/rechnungen.ts';
import { byName, utcWindow } from './months.ts';
import { toApi } from './rechnungen.ts';

export interface Moment {
  tx: MandantTx;
  engine: Snapshot['engine'];
  now: Temporal.Instant;
  zone: string;
}

/** What was counted of a provider, as a row has it. */
type Figures = Counted & Pick<Row, 'gemessen_eur'>;

const NO_CALLS = {
  aufrufe: 0,
  unbepreist: 0,
  teilbepreist: 0,
  gemessen_eur: '0',
  geschaetzt_eur: '0',
  kosten_eur: '0',
  kosten_usd: '0',
};

const countedOf = (row: SumsRow): Figures => ({
  aufrufe: toCount(row.aufrufe),
  unbepreist: toCount(row.unbepreist),
  teilbepreist: toCount(row.teilbepreist),
  gemessen_eur: row.gemessen_eur,
  geschaetzt_eur: row.geschaetzt_eur,
  kosten_eur: row.kosten_eur,
  kosten_usd: row.kosten_usd,
});

const reportedOf = ({ aufrufe, verglichen, gemeldet_eur, liste_eur }: Reported): Row['gemeldet'] => ({
  aufrufe: toCount(aufrufe),
  verglichen: toCount(verglichen),
  gemeldet_eur,
  liste_eur,
  differenz_eur: new Exact(gemeldet_eur).minus(liste_eur).toString(),
});

/** The price book beside the list, by provider. */
async function bookedIn({ tx }: Moment, monat: string): Promise<Map<string, NonNullable<Row['preisbuch']>>> {
  const rows = await readBooked(tx, monat);
  const offene_tage = rows.length > 0 ? await countOpenDays(tx, monat) : 0;
  return new Map(
    rows.map(({ anbieter, aufrufe, kosten_eur, verglichen, preisbuch_eur, listenpreis_eur }) => [
      anbieter,
      {
        aufrufe: toCount(aufrufe),
        kosten_eur,
        verglichen: toCount(verglichen),
        preisbuch_eur,
        listenpreis_eur,
        differenz_eur: new Exact(preisbuch_eur).minus(listenpreis_eur).toString(),
        offene_tage,
      },
    ]),
  );
}

/** Calls of a window that were converted at the substitute, by provider. */
async function substitutedIn({ tx, engine }: Moment, window: Window): Promise<Map<string, Substituted>> {
  const rows = await substituted(engine, tx, { window, by: 'anbieter' });
  const days = rows.map(({ tag }) => tag).sort();
  const [first, last] = [days.at(0), days.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  // The substitute never is a final rate, whatever it is.
  const rates = createExchangeRates(await readRates(tx, first, last), { usdEur: '1', tag: null });
  const rateOf = (tag: string) => rates.final(tag)?.text ?? null;
  const byProvider = Map.groupBy(rows, ({ schluessel }) => schluessel);
  return new Map([...byProvider].map(([anbieter, own]) => [anbieter, substitutedOf(own, rateOf)]));
}

/** What a month is about beside what was counted in it, provider by provider. */
interface Around {
  /** Null where hours do not fit. */
  inUtc: Map<string, Costs> | null;
  ersatz: Map<string, Substituted>;
  uncounted: Pick<Circumstances, 'wartend' | 'unzaehlbar'>;
}

const NOTHING: Around = { inUtc: null, ersatz: new Map(), uncounted: { wartend: 0, unzaehlbar: 0 } };

/** Read where there is an invoice. `local` are the rows of the local month. */
async function readAround(
  moment: Moment,
  monat: string,
  local: EngineConsumption['zeilen'],
): Promise<Around> {
  const { tx, engine, zone } = moment;
  const window = utcWindow(monat, zone);
  const rows = window ? (await consumptionByEngine(engine, tx, { window, by: ['anbieter'] })).zeilen : local;
  const isSubstituted = rows.some(({ ersatz_eur }) => !new Exact(ersatz_eur ?? 0).isZero());
  const billed = window ?? windowOf(monat, zone);
  const begin = Math.min(billed.von.epochMilliseconds, windowOf(monat, zone).von.epochMilliseconds);
  return {
    inUtc: window && new Map(rows.map((row) => [row.schluessel[0] as string, row])),
    ersatz: isSubstituted ? await substitutedIn(moment, billed) : new Map(),
    // A call may be dated so far ahead of when it was received.
    uncounted: await readUncounted(tx, new Date(begin - FUTURE_LIMIT).toISOString()),
  };
}

function rowOf(
  { monat, anbieter }: { monat: string; anbieter: string },
  figures: Figures,
  rechnungen: Invoice[],
  preisbuch: Row['preisbuch'],
  { inUtc, ersatz, uncounted }: Around,
): Omit<Row, 'gemeldet'> {
  const rechnung_eur = rechnungen.length > 0 ? sumText(rechnungen.map(({ betrag_eur }) => betrag_eur)) : null;
  const differenz = differenceOf(figures, rechnung_eur);
  const around: Circumstances = {
    differenz,
    inUtc: inUtc && (inUtc.get(anbieter) ?? NO_CALLS),
    ersatz: ersatz.get(anbieter) ?? null,
    preisbuch,
    ...uncounted,
  };
  return {
    monat,
    anbieter: anbieter || null,
    ...figures,
    rechnung_eur,
    rechnungen,
    differenz_eur: differenz,
    differenz_prozent: percentOf(differenz, figures.kosten_eur),
    ursachen: rechnung_eur === null ? [] : causesOf(figures, rechnungen, around),
    preisbuch,
  };
}

/** The providers of a month by name, those without a name last, and their sum. */
export async function readMonth(moment: Moment, monat: string): Promise<{ rows: Row[]; sum: Sum }> {
  const { tx, engine, zone } = moment;
  const { zeilen, summe } = await consumptionByEngine(engine, tx, {
    window: windowOf(monat, zone),
    by: ['anbieter'],
  });
  const counted = new Map(zeilen.map((row) => [row.schluessel[0] as string, countedOf(row)]));
  const invoices = Map.groupBy((await readInvoices(tx, monat)).map(toApi), ({ anbieter }) => anbieter);
  const reported = new Map((await readReported(tx, monat)).map((row) => [row.anbieter, reportedOf(row)]));
  const booked = await bookedIn(moment, monat);
  const around = invoices.size > 0 ? await readAround(moment, monat, zeilen) : NOTHING;
  const names = [...new Set([...counted.keys(), ...invoices.keys()])].sort(byName);
  const rows = names.map((anbieter) => ({
    ...rowOf(
      { monat, anbieter },
      counted.get(anbieter) ?? NO_CALLS,
      invoices.get(anbieter) ?? [],
      booked.get(anbieter) ?? null,
      around,
    ),
    gemeldet: reported.get(anbieter) ?? null,
  }));
  const all = zeilen.length > 0 ? countedOf(summe) : NO_CALLS;
  return { rows, sum: sumOf(monat, { anbieter: rows.length, ...all }, rows) };
}
