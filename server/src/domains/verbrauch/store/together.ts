/** A page of groups that are added up here, out of lists and rows, as `answer.ts` gives of those that the database adds up. */
import { sql } from 'kysely';
import { type AnyDimensionName, FIGURE_NAMES, FIGURES, type FigureName, numberOfDimension } from '#contracts';
import { EUR_SCALE, eurFrom, textOf } from '#kernel/money.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { FULL_SCALES, GroupSums } from '../lists/group-sums.ts';
import type { Groups } from './answer.ts';
import { AS_TEXT, SUMS, type SumsRow } from './figures.ts';
import type { Part } from './sums.ts';

const indexOf = (name: FigureName) => FIGURE_NAMES.indexOf(name);
const AUFRUFE = indexOf('aufrufe');
const UNBEPREIST = indexOf('unbepreist');
const EUR = indexOf('kosten_eur');
const GESCHAETZT_EUR = indexOf('geschaetzt_eur');

/** Amounts that are told as null where no call has a known price. */
const NULL_IF_UNKNOWN = FIGURE_NAMES.map((name) => {
  const { kind, ...rest } = FIGURES[name];
  return (kind === 'usd' || kind === 'eur') && !('neverNull' in rest);
});

/** Figures in their smallest unit, in the order of `FIGURE_NAMES`, as the database would give them. */
export function toSumsRow(values: readonly bigint[]): SumsRow {
  // Of calls without a known price, or of none at all, there is no cost to add up.
  const isKnown = (values[AUFRUFE] as bigint) > (values[UNBEPREIST] as bigint);
  const row: Partial<SumsRow> = {};
  for (const [figure, name] of FIGURE_NAMES.entries())
    row[name] =
      NULL_IF_UNKNOWN[figure] && !isKnown
        ? null
        : textOf(values[figure] as bigint, FULL_SCALES[figure] as number);
  const gemessen = (values[EUR] as bigint) - (values[GESCHAETZT_EUR] as bigint);
  row.gemessen_eur = isKnown ? textOf(gemessen, EUR_SCALE) : null;
  return row as SumsRow;
}

/** Where a group stands: its cost in 10^-34 EUR, null where that is unknown, and the texts that name it. */
export interface GroupStanding {
  cost: bigint | null;
  keys: string[];
}

/** More than what may be wrong with doubles that stand for exact costs. */
const UNSURE = 1e-9;

/** What the groups cost, by place. Exactly only where it decides, and without an object for each: there may be tens of thousands. */
class Costs {
  /** Those with calls. */
  readonly places: number[] = [];
  readonly #sums: GroupSums;
  /** About its cost; below all numbers where that is unknown. */
  readonly #about: Float64Array;

  constructor(sums: GroupSums) {
    this.#sums = sums;
    this.#about = new Float64Array(sums.groups);
    for (let place = 0; place < sums.groups; place += 1) {
      const calls = sums.about(place, AUFRUFE);
      if (calls > 0) this.places.push(place);
      const isUnknown =
        calls === sums.about(place, UNBEPREIST) &&
        sums.value(place, AUFRUFE) === sums.value(place, UNBEPREIST);
      this.#about[place] = isUnknown ? Number.NEGATIVE_INFINITY : sums.about(place, EUR);
    }
  }

  about(place: number): number {
    return this.#about[place] as number;
  }

  exact(place: number): bigint | null {
    return this.about(place) === Number.NEGATIVE_INFINITY ? null : this.#sums.value(place, EUR);
  }

  /** Those that cost so much or less, and how many of them cost the same. */
  from(cost: bigint | null): { behind: number[]; equal: number } {
    const about = cost === null ? Number.NEGATIVE_INFINITY : Number(cost) / 10 ** EUR_SCALE;
    const orders = this.places.map((place) => {
      const less = about - this.about(place);
      return Math.abs(less) > UNSURE * Math.abs(about) ? less : byCost(this.exact(place), cost);
    });
    return {
      behind: this.places.filter((_, index) => (orders[index] as number) >= 0),
      equal: orders.filter((order) => order === 0).length,
    };
  }

  /** As `byCost`, one group against another one. */
  #compare(a: number, b: number): number {
    const more = this.about(b) - this.about(a);
    return Math.abs(more) > UNSURE * Math.abs(this.about(a)) ? more : byCost(this.exact(a), this.exact(b));
  }

  /** The first so many of these, in no order, and all that cost the same as the last of them. */
  first(places: number[], count: number): number[] {
    if (places.length <= count) return places;
    // Sorted as numbers first, all of them; exactly, those that are left.
    const least = -(Float64Array.from(places, (place) => -this.about(place)).sort()[count - 1] as number);
    const first = places
      .filter((place) => this.about(place) >= least - 2 * UNSURE * Math.abs(least))
      .sort((a, b) => this.#compare(a, b));
    const last = first[count - 1] as number;
    return first.filter((place) => this.#compare(place, last) <= 0);
  }
}

/** The most expensive first, unknown costs last. */
function byCost(a: bigint | null, b: bigint | null): number {
  if (a === b) return 0;
  if (a === null || b === null) return a === null ? 1 : -1;
  return a > b ? -1 : 1;
}

/** As the database orders texts: by their bytes. */
function byKeys(a: string[], b: string[]): number {
  for (const [index, text] of a.entries()) {
    const order = Buffer.compare(Buffer.from(text), Buffer.from(b[index] as string));
    if (order !== 0) return order;
  }
  return 0;
}

/** In the order of costs, and of texts where they are the same. */
export const byStanding = (a: GroupStanding, b: GroupStanding): number =>
  byCost(a.cost, b.cost) || byKeys(a.keys, b.keys);

/** What a place in the order says of the cost; one that nobody wrote says something near it. */
export function costOf(place: string): bigint | null {
  if (place === 'Infinity') return null;
  const [whole = '0', fraction = ''] = place.split('.');
  return -eurFrom(`${whole}.${fraction.slice(0, EUR_SCALE).padEnd(1, '0')}`);
}
const placeOf = (cost: bigint | null): string => (cost === null ? 'Infinity' : textOf(-cost, EUR_SCALE));

export interface PageOfGroups {
  /** Groups at most; null for all. */
  limit: number | null;
  /** Behind which group it begins. */
  after: { place: string; keys: string[] } | null;
}

/** The figures of all rows together. */
async function readWhole(tx: MandantTx, total: Part): Promise<bigint[]> {
  const { rows } = await sql<SumsRow>`
    SELECT ${AS_TEXT} FROM (SELECT ${SUMS} FROM (${total}) r) s`.execute(tx);
  const whole = new GroupSums();
  const place = whole.placeOf(0);
  whole.addRow(place, rows[0] as SumsRow);
  return whole.values(place);
}

/** Groups by the place of their sums. */
export interface Grouped<Keys extends object> {
  sums: GroupSums;
  /** Looks up the texts that name groups, which decide between equal costs. */
  keysOf: (places: number[]) => Promise<string[][]>;
  /** What a row has of its group's texts. */
  toKeys: (keys: string[]) => Keys;
  /** The figures of groups, in the order of `FIGURE_NAMES`. */
  valuesOf: (places: number[]) => Promise<bigint[][]>;
}

/** What a page is cut out of. */
export interface Candidates<At extends GroupStanding, Group extends At> {
  /** Those that can be on it, with all that cost the same as the last of them or as the one behind which it begins, in no order. */
  groups: Group[];
  /** How many groups there are in all, and how many that stand where the page may begin, or behind. */
  count: number;
  behind: number;
  order: (a: At, b: At) => number;
  /** The figures of groups, in the order of `FIGURE_NAMES`. */
  valuesOf: (groups: Group[]) => Promise<bigint[][]>;
  /** Of all groups together. */
  whole: bigint[];
}

/** Cuts a page out of its candidates. */
export async function cutPage<At extends GroupStanding, Group extends At>(
  { groups, count, behind, order, valuesOf, whole }: Candidates<At, Group>,
  limit: number | null,
  position: At | null,
): Promise<Groups<SumsRow & { keys: string[]; place: string }>> {
  const named = groups.filter((group) => !position || order(group, position) > 0).sort(order);
  const page = named.slice(0, limit ?? named.length);
  const values = await valuesOf(page);
  const rest = whole.map((value, figure) =>
    values.reduce((left, group) => left - (group[figure] as bigint), value),
  );
  return {
    zeilen: page.map(({ cost, keys }, index) => ({
      ...toSumsRow(values[index] as bigint[]),
      keys,
      place: placeOf(cost),
    })),
    rest: { ...toSumsRow(rest), gruppen: count - page.length },
    summe: toSumsRow(whole),
    hasMore: named.length + (behind - groups.length) > page.length,
  };
}

/** A page of the groups. `total` selects the figures of all of them. Rows have `place`, and what names them. */
export async function pageOfGroups<Keys extends object>(
  tx: MandantTx,
  { sums, keysOf, toKeys, valuesOf }: Grouped<Keys>,
  total: Part,
  { limit, after }: PageOfGroups,
): Promise<Groups<SumsRow & Keys & { place: string }>> {
  const costs = new Costs(sums);
  const position = after && { cost: costOf(after.place), keys: after.keys };
  const { behind, equal } = position ? costs.from(position.cost) : { behind: costs.places, equal: 0 };
  // Texts are looked up of those that can be on the page, and of all that cost the same.
  const candidates = limit === null ? behind : costs.first(behind, equal + limit + 1);
  const keys = await keysOf(candidates);
  const { zeilen, ...groups } = await cutPage(
    {
      groups: candidates.map((place, index) => ({
        place,
        cost: costs.exact(place),
        keys: keys[index] as string[],
      })),
      count: costs.places.length,
      behind: behind.length,
      order: byStanding,
      valuesOf: (page) => valuesOf(page.map(({ place }) => place)),
      whole: await readWhole(tx, total),
    },
    limit,
    position,
  );
  return { ...groups, zeilen: zeilen.map(({ keys, ...row }) => ({ ...row, ...toKeys(keys) })) };
}

/** The texts of values, by their numbers. */
export async function readTexts(tx: MandantTx, merkmale: number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ merkmal_id: number; text: string }>`
    SELECT merkmal_id, text FROM merkmale WHERE mandant_id = ${tx.mandant} AND merkmal_id = ANY(${merkmale}::int[])`.execute(
    tx,
  );
  return new Map(rows.map(({ merkmal_id, text }) => [merkmal_id, text]));
}

/** The numbers of a dimension's values that any call ever had, by their texts. */
export async function readNumbers(tx: MandantTx, by: AnyDimensionName, texts: string[]): Promise<number[]> {
  const { rows } = await sql<{ merkmal_id: number }>`
    SELECT merkmal_id FROM merkmale WHERE mandant_id = ${tx.mandant}
      AND dimension = ${sql.lit(numberOfDimension(by))} AND text = ANY(${texts}::text[])`.execute(tx);
  return rows.map(({ merkmal_id }) => merkmal_id);
}
