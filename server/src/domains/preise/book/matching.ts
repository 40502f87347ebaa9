/** Which entries of a price book fit a model, and which of them goes first. */
import type { BookPrice, Discount } from './content.ts';

/** A model as a call names it, and as the list does where it knows it. */
export interface Named {
  anbieter: string | null;
  modell: string;
  listed: { provider: string; id: string } | null;
}

const same = (a: string, b: string | null | undefined) => a === b?.toLowerCase();

/** A pattern made ready: in lower case, cut at each `*`. */
interface Pattern {
  text: string;
  /** What stands before, between and behind the `*`; one for a name. */
  pieces: readonly string[];
  /** Characters that are fixed. */
  fixed: number;
}

export function toPattern(pattern: string): Pattern {
  const text = pattern.toLowerCase();
  const pieces = text.split('*');
  return { text, pieces, fixed: text.length - pieces.length + 1 };
}

/**
 * Whether a name in lower case fits a pattern, in which `*` stands for any characters and everything else for itself. Each piece is
 * looked for where it comes first, so that no pattern takes longer than its name times its pieces, of which a book has few.
 */
export function fits({ pieces, fixed }: Pattern, name: string): boolean {
  const first = pieces[0] as string;
  const last = pieces.at(-1) as string;
  if (pieces.length === 1) return name === first;
  if (fixed > name.length || !name.startsWith(first) || !name.endsWith(last)) return false;
  const end = name.length - last.length;
  let at = first.length;
  for (let place = 1; place < pieces.length - 1; place += 1) {
    const piece = pieces[place] as string;
    const found = name.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return at <= end;
}

const isOf = (provider: string, { anbieter, listed }: Named) =>
  same(provider, anbieter) || same(provider, listed?.provider);

/** An own price with its pattern made ready. */
interface ReadyPrice<Of> {
  of: Of;
  pattern: Pattern;
  provider: string | null;
  /** Whether it holds for every tier at any time: nothing that goes behind it is ever asked. */
  isLast: boolean;
}

type Matched = Pick<BookPrice, 'anbieter' | 'modell' | 'preisstufe' | 'gilt_ab' | 'gilt_bis'>;

/**
 * The own prices of a book, made ready once for all models that are looked for: those whose pattern has more fixed characters first, then
 * those that name the provider, then those that name the tier, then as they stand.
 */
export function readyPrices<Of>(all: readonly Of[], priceOf: (of: Of) => Matched): ReadyPrice<Of>[] {
  const ready = all.map((of) => {
    const { modell, anbieter, preisstufe, gilt_ab, gilt_bis } = priceOf(of);
    return {
      of,
      pattern: toPattern(modell),
      provider: anbieter?.toLowerCase() ?? null,
      tier: preisstufe,
      isLast: preisstufe === null && gilt_ab === null && gilt_bis === null,
    };
  });
  const named = (text: string | null) => (text === null ? 0 : 1);
  return ready.sort(
    (a, b) =>
      b.pattern.fixed - a.pattern.fixed ||
      named(b.provider) - named(a.provider) ||
      named(b.tier) - named(a.tier),
  );
}

/** The own prices that fit a model, whenever they hold, the one that goes first at the head: as the call names it, as the list does, patterns. */
export function fittingPrices<Of>(prices: readonly ReadyPrice<Of>[], named: Named): Of[] {
  const modell = named.modell.toLowerCase();
  const listed = named.listed?.id.toLowerCase() ?? null;
  const isFor = ({ provider }: ReadyPrice<Of>) => provider === null || isOf(provider, named);
  const asCalled = prices.filter((each) => each.pattern.text === modell && isFor(each));
  const asListed =
    listed === modell ? [] : prices.filter((each) => each.pattern.text === listed && isFor(each));
  const byPattern: ReadyPrice<Of>[] = [];
  for (const each of prices) {
    const { pattern } = each;
    if (pattern.pieces.length === 1 || pattern.text === modell || pattern.text === listed) continue;
    if (!fits(pattern, modell) && !(listed !== null && fits(pattern, listed))) continue;
    if (!isFor(each)) continue;
    byPattern.push(each);
    if (each.isLast) break;
  }
  return [...asCalled, ...asListed, ...byPattern].map(({ of }) => of);
}

/** The discounts of a book by their provider, in lower case. */
export const readyDiscounts = <Of>(all: readonly Of[], discountOf: (of: Of) => Discount): Map<string, Of[]> =>
  Map.groupBy(all, (of) => discountOf(of).anbieter.toLowerCase());

/** The discounts of the provider of a model, as the call names it before as the list does. */
export function fittingDiscounts<Of>(
  discounts: ReadonlyMap<string, readonly Of[]>,
  { anbieter, listed }: Named,
): Of[] {
  const providers = new Set([anbieter?.toLowerCase(), listed?.provider.toLowerCase()]);
  return [...providers].flatMap((provider) => discounts.get(provider ?? '') ?? []);
}
