/** What the values of a dimension cost in a window and in the one before it: those that changed most. */
import type { DimensionName } from '#contracts';
import { EUR_SCALE, textOf } from '#kernel/money.ts';
import type { Window } from '#kernel/zeitraum.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { groupsByEngine } from './engine/consumption-by-engine.ts';
import type { Engine } from './engine/engine.ts';
import { type Group, RANKED } from './engine/question.ts';
import { byCost, callsOfValues, costOfValues } from './groups.ts';
import { readTexts } from './store/values.ts';

/** Amounts in EUR as exact decimals; 0 without calls, null where no call has a known price. */
export interface ChangeRow {
  schluessel: string;
  aufrufe: string;
  kosten_eur: string | null;
  vorher_eur: string | null;
  differenz_eur: string | null;
  /** Places among those that cost more, cost less, and had no call earlier; null where it has none of the first ones. */
  gestiegen: number | null;
  gesunken: number | null;
  neu: number | null;
  /** How many had no call earlier. */
  neu_anzahl: number;
}

/** A value in both windows, by its number; amounts in 10^-34 EUR. */
interface ComparedValue {
  merkmal: number;
  calls: bigint;
  cost: bigint | null;
  before: bigint | null;
  difference: bigint | null;
}

type Windows = Record<'window' | 'before' | 'earlier', Window>;

const amount = (value: bigint | null): string | null => (value === null ? null : textOf(value, EUR_SCALE));

const numberOf = ({ keys }: Group) => keys[0] as number;

/** Calls and cost of each value that has a call. */
const costsOf = (groups: Group[]) =>
  new Map(
    groups.map((group) => [
      numberOf(group),
      { calls: callsOfValues(group.values), cost: costOfValues(group.values) },
    ]),
  );

function compare(groups: Group[], groupsBefore: Group[]): ComparedValue[] {
  const nothing = { calls: 0n, cost: 0n };
  const now = costsOf(groups);
  const then = costsOf(groupsBefore);
  return [...new Set([...now.keys(), ...then.keys()])].map((merkmal) => {
    const { calls, cost } = now.get(merkmal) ?? nothing;
    const { cost: earlier } = then.get(merkmal) ?? nothing;
    const difference = cost === null || earlier === null ? null : cost - earlier;
    return { merkmal, calls, cost, before: earlier, difference };
  });
}

/** The first of these in an order, with their places from 1. */
const placesOf = (
  values: ComparedValue[],
  order: (a: ComparedValue, b: ComparedValue) => number,
  most: number,
): Map<number, number> =>
  new Map(
    values
      .sort((a, b) => order(a, b) || a.merkmal - b.merkmal)
      .slice(0, most)
      .map(({ merkmal }, index) => [merkmal, index + 1]),
  );

/**
 * The values of a dimension whose cost changed most from the window before to this one, at most `most` of them up, down and new: without a
 * call in `earlier`. As for `groupsByEngine`.
 */
export async function changes(
  engine: Engine,
  tx: MandantTx,
  { by, most, window, before, earlier }: Windows & { by: DimensionName; most: number },
): Promise<ChangeRow[]> {
  const asked = [window, before, earlier].map((each) => ({ window: each, by: [by], figures: RANKED }));
  const answers = await groupsByEngine(engine, tx, asked);
  const [now = [], then = [], known = []] = answers.map(({ groups }) => groups);
  const compared = compare(now, then);
  const knownBefore = new Set(known.map(numberOf));
  const differing = (isWanted: (difference: bigint) => boolean) =>
    compared.filter(({ difference }) => difference !== null && isWanted(difference));
  const isNew = compared.filter(({ merkmal, calls }) => calls > 0n && !knownBefore.has(merkmal));
  const up = placesOf(
    differing((difference) => difference > 0n),
    (a, b) => byCost(a.difference, b.difference),
    most,
  );
  const down = placesOf(
    differing((difference) => difference < 0n),
    (a, b) => byCost(b.difference, a.difference),
    most,
  );
  const fresh = placesOf([...isNew], (a, b) => byCost(a.cost, b.cost), most);
  const shown = compared.filter(({ merkmal }) => [up, down, fresh].some((places) => places.has(merkmal)));
  const texts = await readTexts(
    tx,
    shown.map(({ merkmal }) => merkmal),
  );
  return shown.map(({ merkmal, calls, cost, before, difference }) => ({
    schluessel: texts.get(merkmal) ?? '',
    aufrufe: `${calls}`,
    kosten_eur: amount(cost),
    vorher_eur: amount(before),
    differenz_eur: amount(difference),
    gestiegen: up.get(merkmal) ?? null,
    gesunken: down.get(merkmal) ?? null,
    neu: fresh.get(merkmal) ?? null,
    neu_anzahl: isNew.length,
  }));
}
