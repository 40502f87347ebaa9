/** Closing months, and the list of them. */
import { sql } from 'kysely';
import type { abrechnungsmonate, monatAbschliessen, QueryOf, ResponseOf } from '#contracts';
import { type MandantRow, readMandant } from '#domains/mandant/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { withSnapshot } from '#domains/verbrauch/index.ts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { eurText } from '#kernel/money.ts';
import type { ServiceContext } from '#platform/context.ts';
import { cursorOf, pageOf } from '#platform/page.ts';
import { monthClosed, monthRuns, notCounted, notItsTurn } from '../errors.ts';
import type { Line } from '../line.ts';
import { monthAfter, monthBefore, monthOf, requireMonth, windowOf } from '../month.ts';
import type { Usage } from '../rules.ts';
import { insertLines, type Share } from '../store/lines.ts';
import { insertMonth, readChanges, setBilled } from '../store/months.ts';
import { readSettings } from '../store/settings.ts';
import { behindLines } from './behind-lines.ts';
import { type Bill, billOf } from './bill.ts';
import { logoOf, senderOf } from './brand.ts';
import { type Moment, momentOf } from './moment.ts';
import { rehearse, requireBookable } from './rehearsal.ts';
import { totalsOf } from './totals.ts';

type Context = Pick<ServiceContext, 'db' | 'clock' | 'config' | 'log'>;
type ClosingContext = Context & Pick<ServiceContext, 'outbound'>;
type Monat = ResponseOf<typeof abrechnungsmonate>['monate'][number];

/** Whether all lines before it are closed, it is over, and it was not closed itself. */
const isNext = ({ status, lastClosed, monat }: Bill): boolean =>
  status === 'offen' && (lastClosed === null || monthAfter(lastClosed) === monat);

const toApi = (bill: Bill): Monat => ({
  monat: bill.monat,
  status: bill.status,
  abschliessbar: isNext(bill),
  geschlossen_am: bill.closed && toInstant(bill.closed.geschlossen_am),
  geschlossen_von: bill.closed?.geschlossen_von ?? null,
  ...totalsOf(bill),
});

const MONTHS = cursorOf('weiterbelastung.monate', 'day');

/** Each month is a question to the sums of all end customers. */
const MOST_MONTHS = 24;

/** Months since the first call, the latest first, page by page. */
export function listMonths(
  context: Context,
  mandant: MandantId,
  query: QueryOf<typeof abrechnungsmonate>,
): Promise<ResponseOf<typeof abrechnungsmonate>> {
  const limit = Math.min(query.limit, MOST_MONTHS);
  const after = MONTHS.read(query.nach)?.[0].slice(0, 7);
  return withSnapshot(context, mandant, async (snapshot) => {
    const { now, zone, stand } = snapshot;
    const current = monthOf(now, zone);
    const oldest = stand.daten_von ? monthOf(Temporal.Instant.from(stand.daten_von), zone) : current;
    const names: string[] = [];
    let monat = after === undefined || after > current ? current : monthBefore(after);
    for (; monat >= oldest && names.length <= limit; monat = monthBefore(monat)) names.push(monat);
    const { rows, weiter } = pageOf(names, limit, MONTHS, (name) => [`${name}-01`]);
    const monate: Monat[] = [];
    const moment = momentOf(context, snapshot);
    for (const name of rows) monate.push(toApi(await billOf(moment, name)));
    return { monate, weiter };
  });
}

/** Calls without an end customer, which nobody is charged for, as a line of the closed month. */
const withoutCustomer = ({ monat, without }: Bill): Line => ({
  art: 'verbrauch',
  monat,
  referenz: '',
  zahler: '',
  name: null,
  kostenstelle: null,
  debitorenkonto: null,
  aufschlag_prozent: '0',
  aufrufe: without.aufrufe,
  unbepreist: without.unbepreist,
  teilbepreist: without.teilbepreist,
  kosten_eur: without.kosten && eurText(without.kosten),
  verbranntes_geld_eur: eurText(without.verbrannt),
  abrechenbar_eur: null,
  betrag_eur: null,
});

const shareOf = ([referenz, usage]: [string, Usage]): Share => ({
  referenz,
  aufrufe: usage.aufrufe,
  unbepreist: usage.unbepreist,
  teilbepreist: usage.teilbepreist,
  kosten_eur: usage.kosten === null ? null : eurText(usage.kosten),
  verbranntes_geld_eur: eurText(usage.verbrannt),
});

/** The references that count for another one now, by that one. */
const groupingOf = ({ customers }: Bill): Record<string, string> =>
  Object.fromEntries(
    customers.all.flatMap(({ referenz, gehoert_zu }) => {
      const to = gehoert_zu === null ? undefined : customers.charged(referenz);
      return to ? [[referenz, to.referenz]] : [];
    }),
  );

interface Closer {
  am: string;
  von: string | null;
  logo: Uint8Array | null;
  brand: MandantRow;
}

async function close(moment: Moment, bill: Bill, { am, von, logo, brand }: Closer): Promise<void> {
  const { tx, zone } = moment;
  const buchhaltung = await readSettings(tx);
  await insertMonth(tx, {
    monat: bill.monat,
    zeitzone: zone,
    verbranntes_berechnen: bill.terms.verbranntes_berechnen,
    aufschlag_ausweisen: bill.terms.aufschlag_ausweisen,
    steuersatz_prozent: bill.terms.steuersatz_prozent,
    geschlossen_am: am,
    geschlossen_von: von,
    stand: await readChanges(tx, bill.monat),
    buchhaltung,
    anteile_bekannt: true,
    zuordnung: groupingOf(bill),
    absender: senderOf(brand),
    logo,
  });
  const shares = new Map([...bill.shares].map(([referenz, of]) => [referenz, [...of].map(shareOf)]));
  const own = [...bill.lines, withoutCustomer(bill)];
  for await (const { some, behind } of behindLines(moment, bill, own))
    await insertLines(tx, { monat: bill.monat, lines: some, shares, behind });
  // Nothing is known of what corrections are made of.
  await insertLines(tx, { monat: bill.monat, lines: bill.corrections, shares, behind: new Map() });
  for (const { monat, stand } of bill.changes) await setBilled(tx, monat, stand);
}

function requireClosable(bill: Bill): void {
  if (bill.status === 'geschlossen') throw monthClosed();
  if (bill.status === 'laeuft') throw monthRuns();
  // What lies before the first one that was closed is never closed.
  if (bill.lastClosed !== null && !isNext(bill)) throw notItsTurn(monthAfter(bill.lastClosed));
}

/** Two at once: the second sees the first one's month only when it writes its own. */
const isTaken = (error: unknown): boolean =>
  ['23505', '40001'].includes((error as { code?: string }).code ?? '');

const WAITS_SINCE = (tx: Moment['tx']) => sql<{ since: string }>`
  SELECT empfangen_am AS since FROM eingang WHERE mandant_id = ${tx.mandant} ORDER BY eingang_id LIMIT 1`;

/** Throws 409 while batches that came before the end of the month wait. */
async function requireCounted(tx: Moment['tx'], { monat }: Bill, zone: string): Promise<void> {
  const [waiting] = (await WAITS_SINCE(tx).execute(tx)).rows;
  const end = windowOf(monat, zone).bis.toInstant();
  if (waiting && Temporal.Instant.compare(Temporal.Instant.from(waiting.since), end) < 0) throw notCounted();
}

/** What closing would store, and what stands in its way; nothing is. Throws as closing does, but for what cannot be booked. */
export const rehearseMonth = (
  context: Context,
  mandant: MandantId,
  wanted: string,
): Promise<ResponseOf<typeof monatAbschliessen>> =>
  withSnapshot(context, mandant, async (snapshot) => {
    const { tx, now, zone } = snapshot;
    const bill = await billOf(momentOf(context, snapshot), requireMonth(wanted, now, zone));
    requireClosable(bill);
    await requireCounted(tx, bill, zone);
    return { ...toApi(bill), pruefung: await rehearse(snapshot, bill) };
  });

/** Closes a month. Throws 422; 409 where it runs, is closed, is not the next one, calls still wait to be counted, or a line could never be booked. */
export async function closeMonth(
  context: ClosingContext,
  mandant: MandantId,
  akteur: Akteur,
  wanted: string,
): Promise<ResponseOf<typeof monatAbschliessen>> {
  const { db, clock } = context;
  const at = clock.now();
  // Fetched from elsewhere, so not while the transaction lasts.
  const logo = await logoOf(context, mandant);
  const now = at.toTemporalInstant();
  try {
    return await db.forMandant(mandant, async (tx) => {
      // Lines and what stands behind them are of one moment.
      await sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ`.execute(tx);
      const brand = await readMandant(tx);
      const { zeitzone: zone } = brand;
      const moment = momentOf(context, { tx, now, zone });
      const bill = await billOf(moment, requireMonth(wanted, now, zone));
      requireClosable(bill);
      await requireCounted(tx, bill, zone);
      await requireBookable(tx, bill);
      await close(moment, bill, { am: at.toISOString(), von: akteur.name, logo, brand });
      await recordChange(tx, mandant, at, {
        akteur,
        aktion: 'abrechnung.abgeschlossen',
        objekt: { art: 'abrechnungsmonat', id: bill.monat, name: bill.monat },
        nachher: { ...totalsOf(bill) },
      });
      return { ...toApi(await billOf(moment, bill.monat)), pruefung: null };
    });
  } catch (error) {
    if (isTaken(error)) throw monthClosed();
    throw error;
  }
}
