/** What all end customers are charged for a month: as it was billed, or as it would be now. */
import { eurFrom } from '#kernel/money.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { Line } from '../line.ts';
import { type MonthStatus, monthAfter, monthOf, windowOf } from '../month.ts';
import { NOTHING, type Terms, type Usage, usageLine } from '../rules.ts';
import { readLines } from '../store/lines.ts';
import { type ClosedMonth, readClosedMonths } from '../store/months.ts';
import { readSettings } from '../store/settings.ts';
import { correctionsOf } from './corrections.ts';
import { type Customers, readCustomers, toCustomer } from './customers.ts';
import type { Moment } from './moment.ts';
import { byCharged, usageByReference } from './usage.ts';

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
  /** What the references have of a line that several are charged in, by the reference of the line; only while the month is open. */
  shares: Map<string, Map<string, Usage>>;
  /** Closed ones, by month. */
  months: Map<string, ClosedMonth>;
}

/** By which rules a line is charged, and booked: those of the month its calls are of. */
export const termsOf = (bill: Bill, line: Pick<Line, 'art' | 'monat'>): Terms =>
  (line.art === 'korrektur' ? bill.months.get(line.monat) : undefined) ?? bill.terms;

/** The references whose calls a line of an open month is made of; '' for calls that name none. */
export function countedFor({ customers }: Bill, { referenz }: Pick<Line, 'referenz'>): string[] {
  const row = customers.charged(referenz);
  return row ? customers.references(row).map((each) => each.referenz) : [referenz];
}

const monthsByName = (months: ClosedMonth[]) => new Map(months.map((month) => [month.monat, month]));

const byReference = (a: Line, b: Line) => (a.referenz < b.referenz ? -1 : a.referenz > b.referenz ? 1 : 0);

const amount = (text: string | null) => (text === null ? null : eurFrom(text));

/** Whether others than the reference itself have calls in its line. */
const isShared = (referenz: string, of: Map<string, Usage>) => of.size > 1 || !of.has(referenz);

/** Whose bill it is. */
interface Scope {
  /** Closed ones, the latest first. */
  months: ClosedMonth[];
  customers: Customers;
  /** Only what these references are charged, and use; all where it is undefined. */
  only: string[] | undefined;
}

async function openBill(moment: Moment, monat: string, { months, customers, only }: Scope): Promise<Bill> {
  const { tx, now, zone } = moment;
  const settings = await readSettings(tx);
  const window = windowOf(monat, zone);
  const usage = byCharged(await usageByReference(moment, window, only), customers);
  const without = usage.get('')?.usage ?? NOTHING;
  const lines = [...usage].flatMap(([referenz, used]) => {
    const row = referenz === '' ? undefined : customers.charged(referenz);
    return row ? usageLine(monat, toCustomer(row), used.usage, settings) : [];
  });
  const lastClosed = months[0]?.monat ?? null;
  const isNext = lastClosed !== null && monthAfter(lastClosed) === monat;
  const corrections: Line[] = [];
  const changes: Bill['changes'] = [];
  for (const closed of isNext ? months.toReversed() : []) {
    const { lines: found, stand } = await correctionsOf(moment, closed, { customers, only });
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
    shares: new Map(
      [...usage].flatMap(([referenz, { of }]) => (isShared(referenz, of) ? [[referenz, of]] : [])),
    ),
    months: monthsByName(months),
  };
}

async function closedBill(
  { tx }: Moment,
  closed: ClosedMonth,
  { months, customers, only }: Scope,
): Promise<Bill> {
  const stored = await readLines(tx, closed.monat, only);
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
    shares: new Map(),
    months: monthsByName(months),
  };
}

async function billIn(moment: Moment, monat: string, asked?: string): Promise<Bill> {
  const months = await readClosedMonths(moment.tx);
  const customers = await readCustomers(moment.tx, asked === undefined ? undefined : [asked]);
  const only = asked === undefined ? undefined : customers.all.map(({ referenz }) => referenz);
  const closed = months.find((month) => month.monat === monat);
  const scope = { months, customers, only };
  return closed ? closedBill(moment, closed, scope) : openBill(moment, monat, scope);
}

/** The month's bill. The transaction must read from one snapshot. */
export const billOf = (moment: Moment, monat: string): Promise<Bill> => billIn(moment, monat);

/**
 * Of the month's bill what concerns one end customer, by reference or id: lines and corrections of whom it counts for today and of all that
 * count for the same one; none where there is no such end customer. As above.
 */
export const billOfOne = (moment: Moment, monat: string, asked: string): Promise<Bill> =>
  billIn(moment, monat, asked);
