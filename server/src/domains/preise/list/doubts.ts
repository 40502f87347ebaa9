/** Whether an edition can be what it says: it is held against the one before it. */
import type { ModelInfo, Provider } from '@pydantic/genai-prices';
import type { ListPrice } from '../rates.ts';

type List = readonly Provider[];

/** More than providers and the list give up between two looks. */
const MAX_LOST = 0.1;
/** A price that changes so much is a slip more often than a price. */
const JUMP = 10;
const MAX_JUMPED = 0.02;

const baseOf = (price: ListPrice) => (typeof price === 'number' ? price : price.base);

/** What each of its units costs by the latest of its prices. */
function basesOf({ prices }: ModelInfo): Map<string, number> {
  const latest = Array.isArray(prices) ? prices.at(-1)?.prices : prices;
  return new Map(
    Object.entries(latest ?? {}).flatMap(([key, price]) =>
      price === undefined ? [] : [[key, baseOf(price)] as const],
    ),
  );
}

const basesByModel = (providers: List) =>
  new Map(
    providers.flatMap(({ id, models }) =>
      models.map((model) => [`${id}/${model.id}`, basesOf(model)] as const),
    ),
  );

/** What is free may come to cost something; what costs something seldom becomes free, or ten times as dear. */
function jumps(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): boolean {
  return [...before].some(([key, was]) => {
    const is = after.get(key);
    return is !== undefined && was > 0 && (is >= was * JUMP || is * JUMP <= was);
  });
}

const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
const percent = (part: number) => `${Math.ceil(part * 100)} %`;

/** Number of models of an edition. */
export const countModels = (providers: List): number =>
  providers.reduce((sum, { models }) => sum + models.length, 0);

/** Why an edition is not taken without asking, as German clauses; empty when nothing speaks against it. */
export function doubtsAbout(next: List, before: List): string[] {
  const after = basesByModel(next);
  const known = [...basesByModel(before)];
  const kept = known.filter(([model]) => after.has(model));
  const lost = share(known.length - kept.length, known.length);
  const jumped = kept.filter(([model, bases]) => jumps(bases, after.get(model) ?? new Map()));
  const jumpedShare = share(jumped.length, kept.length);
  const gone = before.filter(({ id }) => !next.some((each) => each.id === id));
  const names = jumped.slice(0, 3).map(([model]) => model);
  return [
    ...(share(gone.length, before.length) > MAX_LOST
      ? [`es fehlen ${gone.length} von ${before.length} Anbietern`]
      : []),
    ...(lost > MAX_LOST ? [`es fehlen ${percent(lost)} der Modelle`] : []),
    ...(jumpedShare > MAX_JUMPED
      ? [
          `bei ${percent(jumpedShare)} der Modelle hat sich ein Preis mindestens verzehnfacht oder gezehntelt (${names.join(', ')} …)`,
        ]
      : []),
  ];
}
