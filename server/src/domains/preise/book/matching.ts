/** Which entries of a price book fit a model, and which of them goes first. */
import type { BookPrice, Discount } from './content.ts';

/** A model as a call names it, and as the list does where it knows it. */
export interface Named {
  anbieter: string | null;
  modell: string;
  listed: { provider: string; id: string } | null;
}

const same = (a: string, b: string | null | undefined) => a.toLowerCase() === b?.toLowerCase();

/**
 * Whether a name fits a pattern, in which `*` stands for any characters and everything else for itself, in any case. Each part is
 * looked for where it comes first, so that no pattern takes longer than its name times its parts.
 */
export function fits(pattern: string, name: string): boolean {
  const parts = pattern.toLowerCase().split('*');
  const text = name.toLowerCase();
  const first = parts[0] as string;
  const last = parts.at(-1) as string;
  if (parts.length === 1) return text === first;
  if (!text.startsWith(first) || !text.endsWith(last)) return false;
  const end = text.length - last.length;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= end;
}

const AS_CALLED = 2;
const AS_LISTED = 1;

/** How well a pattern fits a model: as the call names it, as the list does, or by its number of fixed characters below these. Null: not at all. */
function closeness(pattern: string, { modell, listed }: Named): [kind: number, fixed: number] | null {
  if (same(pattern, modell)) return [AS_CALLED, 0];
  if (listed && same(pattern, listed.id)) return [AS_LISTED, 0];
  if (!pattern.includes('*')) return null;
  if (!fits(pattern, modell) && !(listed && fits(pattern, listed.id))) return null;
  return [0, pattern.replaceAll('*', '').length];
}

const isOf = (provider: string, { anbieter, listed }: Named) =>
  same(provider, anbieter) || same(provider, listed?.provider);

/** The own prices that fit a model, whenever they hold, the one that goes first at the head. */
export function fittingPrices(prices: readonly BookPrice[], named: Named): BookPrice[] {
  const fitting = prices.flatMap((price, place) => {
    if (price.anbieter !== null && !isOf(price.anbieter, named)) return [];
    const close = closeness(price.modell, named);
    if (!close) return [];
    const rank = [...close, price.anbieter === null ? 0 : 1, price.preisstufe === null ? 0 : 1, -place];
    return [{ price, rank }];
  });
  const byRank = (a: { rank: number[] }, b: { rank: number[] }) =>
    b.rank.map((each, index) => each - (a.rank[index] as number)).find((difference) => difference !== 0) ?? 0;
  return fitting.sort(byRank).map(({ price }) => price);
}

/** The discounts of the provider of a model, as the call names it before as the list does. */
export function fittingDiscounts(discounts: readonly Discount[], named: Named): Discount[] {
  const called = discounts.filter(({ anbieter }) => same(anbieter, named.anbieter));
  const listed = discounts.filter(
    (each) => !called.includes(each) && same(each.anbieter, named.listed?.provider),
  );
  return [...called, ...listed];
}
