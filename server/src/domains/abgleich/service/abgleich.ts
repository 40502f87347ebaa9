/** Counted and invoiced, side by side. */
import type { abgleich, QueryOf, ResponseOf } from '#contracts';
import { consumption, withSnapshot } from '#domains/verbrauch/index.ts';
import { monthBefore, monthOf, requireMonth, windowOf } from '#domains/weiterbelastung/index.ts';
import { toCount } from '#kernel/count.ts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import { type Costs, type Counted, causesOf, differenceOf, Exact, percentOf, sumText } from '../rules.ts';
import { type Reported, readInvoices, readReported } from '../store.ts';
import { byName, utcWindow } from './months.ts';
import { toApi } from './rechnungen.ts';

type Answer = ResponseOf<typeof abgleich>;
type Row = Answer['zeilen'][number];
type Figures = Awaited<ReturnType<typeof consumption>>['zeilen'][number];

const MONTHS = 12;

interface Moment {
  tx: MandantTx;
  now: Temporal.Instant;
  zone: string;
}

const NO_CALLS = {
  aufrufe: 0,
  unbepreist: 0,
  teilbepreist: 0,
  gemessen_eur: '0',
  geschaetzt_eur: '0',
  kosten_eur: '0',
  kosten_usd: '0',
};

const countedOf = (row: Figures): Counted & { gemessen_eur: string | null } => ({
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

async function costsInUtc({ tx, now, zone }: Moment, monat: string): Promise<Map<string, Costs> | null> {
  const window = utcWindow(monat, zone);
  if (!window) return null;
  const { zeilen } = await consumption(tx, { window, by: 'anbieter' }, now);
  return new Map(
    zeilen.map(({ schluessel, kosten_eur, kosten_usd }) => [schluessel, { kosten_eur, kosten_usd }]),
  );
}

/** The providers of a month by name, those without a name last. */
async function rowsOfMonth(moment: Moment, monat: string): Promise<Row[]> {
  const { tx, now, zone } = moment;
  const { zeilen } = await consumption(tx, { window: windowOf(monat, zone), by: 'anbieter' }, now);
  const counted = new Map(zeilen.map((row) => [row.schluessel, countedOf(row)]));
  const invoices = Map.groupBy((await readInvoices(tx, monat)).map(toApi), ({ anbieter }) => anbieter);
  const reported = new Map((await readReported(tx, monat)).map((row) => [row.anbieter, reportedOf(row)]));
  const inUtc = invoices.size > 0 ? await costsInUtc(moment, monat) : null;
  return [...new Set([...counted.keys(), ...invoices.keys()])].sort(byName).map((anbieter) => {
    const figures = counted.get(anbieter) ?? NO_CALLS;
    const rechnungen = invoices.get(anbieter) ?? [];
    const rechnung_eur =
      rechnungen.length > 0 ? sumText(rechnungen.map(({ betrag_eur }) => betrag_eur)) : null;
    const differenz = differenceOf(figures, rechnung_eur);
    const costs = inUtc && (inUtc.get(anbieter) ?? NO_CALLS);
    return {
      monat,
      anbieter: anbieter || null,
      ...figures,
      rechnung_eur,
      rechnungen,
      differenz_eur: differenz,
      differenz_prozent: percentOf(differenz, figures.kosten_eur),
      ursachen: rechnung_eur === null ? [] : causesOf(figures, rechnungen, { differenz, inUtc: costs }),
      gemeldet: reported.get(anbieter) ?? null,
    };
  });
}

const LIST = cursorOf('abgleich.liste', 'day', 'text');
const keyOf = ({ monat, anbieter }: Row): [string, string] => [`${monat}-01`, anbieter ?? ''];
const isBehind = (row: Row, [day, anbieter]: readonly [string, string]): boolean => {
  const [own] = keyOf(row);
  return own < day || (own === day && byName(row.anbieter ?? '', anbieter) > 0);
};

/** A page of it. Throws 422 for a month that cannot be, or a cursor of another list. */
export function readAbgleich(
  context: Pick<ServiceContext, 'db' | 'clock' | 'config'>,
  mandant: MandantId,
  { monat, limit, nach }: QueryOf<typeof abgleich>,
): Promise<Answer> {
  const after = LIST.read(nach);
  return withSnapshot(context, mandant, async ({ tx, now, zone, gezaehltBis }) => {
    const moment: Moment = { tx, now, zone };
    const months = monat === undefined ? MONTHS : 1;
    let current = monat === undefined ? monthOf(now, zone) : requireMonth(monat, now, zone);
    const found: Row[] = [];
    for (let left = months; left > 0 && found.length <= limit; left -= 1, current = monthBefore(current)) {
      if (after && `${current}-01` > after[0]) continue;
      const rows = await rowsOfMonth(moment, current);
      found.push(...(after ? rows.filter((row) => isBehind(row, after)) : rows));
    }
    const { rows, weiter } = pageOf(found, limit, LIST, keyOf);
    return { zeilen: rows, weiter, gezaehlt_bis: toInstant(gezaehltBis) };
  });
}
