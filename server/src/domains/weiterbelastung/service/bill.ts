/** What all end customers are charged for a month: as it was billed, or as it would be now. */
import { type consumption, everyValue, type Position } from '#domains/verbrauch/index.ts';
import { toCount } from '#kernel/count.ts';
import { type Eur, eurFrom } from '#kernel/money.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Line } from '../line.ts';
import { type MonthStatus, monthAfter, monthOf, windowOf } from '../month.ts';
import {
  type Billed,
  centsOf,
  correctionLine,
  NOTHING,
  type Terms,
  together,
  type Usage,
  usageLine,
} from '../rules.ts';
import { readLines, readLinesAbout } from '../store/lines.ts';
import { type ClosedMonth, readChanges, readClosedMonths } from '../store/months.ts';
import { readSettings } from '../store/settings.ts';
import { type Customers, readCustomers, toCustomer } from './customers.ts';

/** A moment of a Mandant's sums. */
export interface Moment {
  tx: MandantTx;
  now: Temporal.Instant;
  zone: string;
}

export interface Bill {
  monat: string;
  status: MonthStatus;
  window: Window;
  terms: Terms;
  closed: ClosedMonth | null;
  /** The month before it in the row of closed ones, or the latest of all; null when none is closed. */
  lastClosed: string | null;
  /** Calls of the month, by reference. */
  lines: Line[];
  /** Changes of months closed before, by month and reference. */
  corrections: Line[];
  /** Calls that name no end customer. */
  without: Usage;
  /** How often the days of the months it has corrections of had changed. */
  changes: { monat: string; stand: string }[];
  customers: Customers;
}

type Figures = Awaited<ReturnType<typeof consumption>>['zeilen'][number];

export const toUsage = (row: Omit<Figures, keyof Position>): Usage => ({
  aufrufe: toCount(row.aufrufe),
  unbepreist: toCount(row.unbepreist),
  teilbepreist: toCount(row.teilbepreist),
  kosten: row.kosten_eur === null ? null : eurFrom(row.kosten_eur),
  verbrannt: eurFrom(row.verbranntes_geld_eur ?? '0'),
});

/** What was used in a window, by the reference that is charged; '' for calls without an end customer. */
export async function usageByCustomer(
  { tx, now }: Pick<Moment, 'tx' | 'now'>,
  window: Window,
  customers: Customers,
): Promise<Map<string, Usage>> {
  const usage = new Map<string, Usage>();
  for (const row of await everyValue(tx, { window, by: 'endkunde' }, now)) {
    const referenz = customers.charged(row.schluessel)?.referenz ?? row.schluessel;
    const before = usage.get(referenz);
    usage.set(referenz, before ? together(before, toUsage(row)) : toUsage(row));
  }
  return usage;
}

const amount = (text: string | null) => (text === null ? null : eurFrom(text));

/** What was billed of a month so far, by the reference that is charged today. */
function billedByCustomer(lines: Line[], customers: Customers): Map<string, Billed> {
  const billed = new Map<string, Billed>();
  for (const line of lines) {
    const referenz = customers.charged(line.referenz)?.referenz ?? line.referenz;
    const usage: Usage = {
      aufrufe: line.aufrufe,
      unbepreist: line.unbepreist,
      teilbepreist: line.teilbepreist,
      kosten: amount(line.kosten_eur),
      verbrannt: eurFrom(line.verbranntes_geld_eur),
    };
    const betrag = line.betrag_eur === null ? null : centsOf(line.betrag_eur);
    const before = billed.get(referenz);
    const sum = before
      ? { ...together(before, usage), kosten: plusKnown(before.kosten, usage.kosten) }
      : usage;
    const own = line.art === 'verbrauch' && line.referenz === referenz;
    billed.set(referenz, {
      ...sum,
      betrag: (before?.betrag == null ? betrag : before.betrag + (betrag ?? 0n)) as Billed['betrag'],
      aufschlag_prozent: own || !before ? line.aufschlag_prozent : before.aufschlag_prozent,
    });
  }
  return billed;
}

// A correction may take calls away or price them: what is known then is known whatever the counts say.
const plusKnown = (a: Eur | null, b: Eur | null): Eur | null =>
  a === null || b === null ? (a ?? b) : ((a + b) as Eur);

const byReference = (a: Line, b: Line) => (a.referenz < b.referenz ? -1 : a.referenz > b.referenz ? 1 : 0);

async function correctionsOf(
  moment: Moment,
  closed: ClosedMonth,
  customers: Customers,
): Promise<{ lines: Line[]; stand: string }> {
  const stand = await readChanges(moment.tx, closed.monat);
  if (stand === closed.stand) return { lines: [], stand };
  const usage = await usageByCustomer(moment, windowOf(closed.monat, closed.zeitzone), customers);
  const billed = billedByCustomer(await readLinesAbout(moment.tx, closed.monat), customers);
  const lines = [...new Set([...usage.keys(), ...billed.keys()])].flatMap((referenz) => {
    const row = customers.charged(referenz);
    if (!row) return [];
    const now = usage.get(referenz) ?? NOTHING;
    return correctionLine(closed.monat, toCustomer(row), now, billed.get(referenz) ?? null, closed) ?? [];
  });
  return { lines: lines.sort(byReference), stand };
}

async function openBill(moment: Moment, monat: string, months: ClosedMonth[]): Promise<Bill> {
  const { tx, now, zone } = moment;
  const [customers, settings] = [await readCustomers(tx), await readSettings(tx)];
  const window = windowOf(monat, zone);
  const usage = await usageByCustomer(moment, window, customers);
  const without = usage.get('') ?? NOTHING;
  const lines = [...usage].flatMap(([referenz, used]) => {
    const row = referenz === '' ? undefined : customers.charged(referenz);
    return row ? usageLine(monat, toCustomer(row), used, settings) : [];
  });
  const lastClosed = months[0]?.monat ?? null;
  const isNext = lastClosed !== null && monthAfter(lastClosed) === monat;
  const corrections: Line[] = [];
  const changes: Bill['changes'] = [];
  for (const closed of isNext ? months.toReversed() : []) {
    const { lines: found, stand } = await correctionsOf(moment, closed, customers);
    corrections.push(...found);
    changes.push({ monat: closed.monat, stand });
  }
  return {
    monat,
    status: monthOf(now, zone) === monat ? 'laeuft' : 'offen',
    window,
    terms: settings,
    closed: null,
    lastClosed,
    lines: lines.sort(byReference),
    corrections,
    without,
    changes,
    customers,
  };
}

async function closedBill({ tx }: Moment, closed: ClosedMonth): Promise<Bill> {
  const [customers, stored] = [await readCustomers(tx), await readLines(tx, closed.monat)];
  const without = stored.find(({ referenz }) => referenz === '');
  const lines = stored.filter(({ referenz, art }) => referenz !== '' && art === 'verbrauch');
  return {
    monat: closed.monat,
    status: 'geschlossen',
    window: windowOf(closed.monat, closed.zeitzone),
    terms: closed,
    closed,
    lastClosed: closed.monat,
    lines,
    corrections: stored
      .filter(({ art }) => art === 'korrektur')
      .sort((a, b) => (a.monat === b.monat ? byReference(a, b) : a.monat < b.monat ? -1 : 1)),
    without: without
      ? {
          aufrufe: without.aufrufe,
          unbepreist: without.unbepreist,
          teilbepreist: without.teilbepreist,
          kosten: amount(without.kosten_eur),
          verbrannt: eurFrom(without.verbranntes_geld_eur),
        }
      : NOTHING,
    changes: [],
    customers,
  };
}

/** The month's bill. The transaction must read from one snapshot. */
export async function billOf(moment: Moment, monat: string): Promise<Bill> {
  const months = await readClosedMonths(moment.tx);
  const closed = months.find((month) => month.monat === monat);
  return closed ? closedBill(moment, closed) : openBill(moment, monat, months);
}
