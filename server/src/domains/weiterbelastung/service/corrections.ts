/** What changed in months that are closed: by the grouping, the markup and the rules they were closed with. */
import { type Eur, eurFrom } from '#kernel/money.ts';
import type { Line } from '../line.ts';
import { windowOf } from '../month.ts';
import {
  type Billed,
  type Customer,
  centsOf,
  correctionLines,
  NOTHING,
  together,
  type Usage,
  type UsageChange,
} from '../rules.ts';
import { readAmendments, readLinesAbout, readShares, type Share } from '../store/lines.ts';
import { type ClosedMonth, readChanges, readGrouping } from '../store/months.ts';
import { type Customers, readCustomers, toCustomer } from './customers.ts';
import type { Moment } from './moment.ts';
import { usageByReference } from './usage.ts';

/** What is known of a month that was closed. */
interface StoredMonth {
  lines: Line[];
  /** What each reference has of a line that several were charged in, by the reference of the line. */
  shares: Map<string, Share[]>;
  /** References that counted for another one; null where that was not kept. */
  grouping: Map<string, string> | null;
  hasShares: boolean;
}

const usageOf = (line: Omit<Share, 'referenz'>): Usage => ({
  aufrufe: line.aufrufe,
  unbepreist: line.unbepreist,
  teilbepreist: line.teilbepreist,
  kosten: line.kosten_eur === null ? null : eurFrom(line.kosten_eur),
  verbrannt: eurFrom(line.verbranntes_geld_eur),
});

// A correction may take calls away or price them: what is known then is known whatever the counts say.
const plusKnown = (a: Eur | null, b: Eur | null): Eur | null =>
  a === null || b === null ? (a ?? b) : ((a + b) as Eur);

const both = (a: Usage, b: Usage): Usage => ({ ...together(a, b), kosten: plusKnown(a.kosten, b.kosten) });

/** With whom a reference was charged in the month: by what was kept, of one that was not there then by itself. */
function groupsOf({ lines, grouping }: StoredMonth, customers: Customers): (referenz: string) => string {
  const own = new Set(lines.flatMap(({ art, referenz }) => (art === 'verbrauch' ? referenz : [])));
  return (referenz) => {
    const kept = grouping?.get(referenz);
    if (kept !== undefined) return kept;
    if (grouping !== null || own.has(referenz)) return referenz;
    return customers.charged(referenz)?.referenz ?? referenz;
  };
}

function withLine(billed: Billed | null, line: Line): Billed {
  const betrag = line.betrag_eur === null ? null : centsOf(line.betrag_eur);
  return {
    ...(billed ? both(billed, usageOf(line)) : usageOf(line)),
    betrag: (billed?.betrag == null ? betrag : billed.betrag + (betrag ?? 0n)) as Billed['betrag'],
    aufschlag_prozent: billed?.aufschlag_prozent ?? line.aufschlag_prozent,
  };
}

/** What was billed of the references of a group so far: together, and of each; null where nobody knows the latter. */
interface BilledGroup {
  billed: Billed | null;
  each: Map<string, Usage> | null;
}

function billedOf(lines: Line[], { shares, hasShares }: StoredMonth): BilledGroup {
  const isKnown = hasShares || lines.every(({ art }) => art === 'korrektur');
  const each = new Map<string, Usage>();
  let billed: Billed | null = null;
  for (const line of lines) {
    billed = withLine(billed, line);
    const known = line.art === 'verbrauch' ? shares.get(line.referenz) : undefined;
    for (const share of known ?? [line]) {
      const before = each.get(share.referenz);
      each.set(share.referenz, before ? both(before, usageOf(share)) : usageOf(share));
    }
  }
  return { billed, each: isKnown ? each : null };
}

/** The references of a group with what they used and what was billed of it: one where nobody knows of each. */
function changesOf(
  name: string,
  used: Map<string, Usage>,
  { billed, each }: BilledGroup,
  whoPays: (referenz: string) => Customer | undefined,
): UsageChange[] {
  const change = (referenz: string, now: Usage, before: Usage): UsageChange[] => {
    const zahler = whoPays(referenz);
    return zahler ? [{ referenz, zahler, now, before }] : [];
  };
  if (each === null) return change(name, [...used.values()].reduce(together, NOTHING), billed ?? NOTHING);
  return [...new Set([...used.keys(), ...each.keys()])]
    .sort()
    .flatMap((referenz) => change(referenz, used.get(referenz) ?? NOTHING, each.get(referenz) ?? NOTHING));
}

/** Who is charged for a reference today, known as in the month that is corrected if they had a line in it. */
function payersOf(
  { lines }: StoredMonth,
  amendments: ReadonlyMap<string, Partial<Customer>>,
  customers: Customers,
): (referenz: string) => Customer | undefined {
  const own = new Map(lines.filter(({ art }) => art === 'verbrauch').map((line) => [line.referenz, line]));
  return (referenz) => {
    const row = customers.charged(referenz);
    const line = row && own.get(row.referenz);
    if (!line) return row && toCustomer(row);
    const { name, kostenstelle, debitorenkonto, aufschlag_prozent } = line;
    const then = { referenz: line.referenz, name, kostenstelle, debitorenkonto, aufschlag_prozent };
    return { ...then, ...amendments.get(line.referenz) };
  };
}

/** Puts values into a map of maps. */
function grouped(usage: Map<string, Usage>, groupOf: (referenz: string) => string) {
  const used = new Map<string, Map<string, Usage>>();
  for (const [referenz, of] of usage) {
    const name = groupOf(referenz);
    used.set(name, (used.get(name) ?? new Map()).set(referenz, of));
  }
  return used;
}

const byReference = (a: Line, b: Line) => (a.referenz < b.referenz ? -1 : a.referenz > b.referenz ? 1 : 0);

/** Who is asked about: everybody, or whom these references are charged to. */
interface Scope {
  customers: Customers;
  only: readonly string[] | undefined;
}

/**
 * With `only` the end customers that a month has to be looked at for: those charged together with one of them then, and those who pay for
 * those today.
 */
async function customersAround(
  { tx }: Moment,
  grouping: Map<string, string> | null,
  { customers, only }: Scope,
): Promise<Customers> {
  // Where nobody kept who was charged together it is who counts for the same one today.
  if (!only || grouping === null) return customers;
  const names = new Set(only.map((referenz) => grouping.get(referenz) ?? referenz));
  const members = [...grouping].flatMap(([referenz, name]) => (names.has(name) ? referenz : []));
  return readCustomers(tx, [...only, ...names, ...members]);
}

async function readStored(
  { tx }: Moment,
  { monat, anteile_bekannt }: ClosedMonth,
  grouping: StoredMonth['grouping'],
  referenzen: readonly string[] | undefined,
): Promise<StoredMonth> {
  const about = await readLinesAbout(tx, monat, referenzen);
  return {
    lines: about.filter(({ referenz }) => referenz !== ''),
    shares: await readShares(tx, monat, referenzen),
    grouping,
    hasShares: anteile_bekannt,
  };
}

/** Lines that the next bill gets for a month that is closed, and up to which change of it they go. */
export async function correctionsOf(
  moment: Moment,
  closed: ClosedMonth,
  scope: Scope,
): Promise<{ lines: Line[]; stand: string }> {
  const { tx } = moment;
  const { monat } = closed;
  const stand = await readChanges(tx, monat);
  if (stand === closed.stand) return { lines: [], stand };
  const grouping = await readGrouping(tx, monat);
  const customers = await customersAround(moment, grouping, scope);
  const around = scope.only && customers.all.map(({ referenz }) => referenz);
  const usage = await usageByReference(moment, windowOf(monat, closed.zeitzone), around);
  usage.delete('');
  const stored = await readStored(moment, closed, grouping, around);
  const groupOf = groupsOf(stored, customers);
  const whoPays = payersOf(stored, await readAmendments(tx, monat, around), customers);
  const used = grouped(usage, groupOf);
  const billed = Map.groupBy(stored.lines, ({ referenz }) => groupOf(referenz));
  const lines = [...new Set([...used.keys(), ...billed.keys()])].flatMap((name) => {
    const group = billedOf(billed.get(name) ?? [], stored);
    const changes = changesOf(name, used.get(name) ?? new Map(), group, whoPays);
    // Of whom nothing was billed in the month: by what is agreed with who pays.
    const aufschlag_prozent = whoPays(name)?.aufschlag_prozent ?? '0';
    const before = group.billed ?? { ...NOTHING, betrag: null, aufschlag_prozent };
    return correctionLines(monat, before, changes, closed);
  });
  const { only } = scope;
  const wanted = only ? lines.filter(({ zahler }) => only.includes(zahler)) : lines;
  return { lines: wanted.sort(byReference), stand };
}
