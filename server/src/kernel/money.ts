/**
 * Exact amounts of money: integers scaled by a power of ten, as BigInt, with a sign. Nothing is rounded but once, to the
 * cent, where an amount becomes a line of a bill. The units are types of their own: an addition of USD to EUR does not
 * compile. What sums millions of amounts may add them as the bare integers they are.
 */

/** A cost in USD is an integer of 10^-24: price lists give USD per million tokens with up to 17 decimals. */
export const USD_SCALE = 24;
/** EUR for one USD, an integer of 10^-10. */
export const RATE_SCALE = 10;
/** USD × rate without rounding. */
export const EUR_SCALE = USD_SCALE + RATE_SCALE;
/** Percent with as many decimals as a request may carry. */
const PERCENT_SCALE = 40;

declare const unit: unique symbol;
type In<Unit extends string> = bigint & { readonly [unit]: Unit };

export type Usd = In<'USD'>;
export type Eur = In<'EUR'>;
export type UsdEurRate = In<'EUR/USD'>;
/** A markup in percent of a cost, from −100 (free of charge) to 10,000. */
export type Aufschlag = In<'%'>;
/** Whole cents of EUR: an amount of a bill. */
export type Cents = In<'ct'>;
type Amount = Usd | Eur | Cents;

/**
 * `-12.5` at scale 3 is -12500n. Throws RangeError when the text is no plain decimal (digits, at most one point between
 * them, at most a minus before them) or has more decimals than the scale.
 */
export function scaledFrom(text: string, scale: number): bigint {
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  if (!match || fraction.length > scale)
    throw new RangeError(`not a decimal of at most ${scale} places: ${text}`);
  return BigInt(match[1] + fraction.padEnd(scale, '0'));
}

/** The plain decimal of a scaled integer: no exponent, no zeros at its end, no `-0`. `scaledFrom` reads it back. */
export function textOf(scaled: bigint, scale: number): string {
  if (scale === 0 || scaled === 0n) return scaled.toString();
  if (scaled < 0n) return `-${textOf(-scaled, scale)}`;
  const digits = scaled.toString().padStart(scale + 1, '0');
  let end = digits.length;
  const point = digits.length - scale;
  while (end > point && digits.charCodeAt(end - 1) === 48) end -= 1;
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`;
}

/** The amount of a plain decimal in USD. Throws RangeError as `scaledFrom` does. */
export const usdFrom = (text: string) => scaledFrom(text, USD_SCALE) as Usd;
/** The amount of a plain decimal in EUR. Throws RangeError as `scaledFrom` does. */
export const eurFrom = (text: string) => scaledFrom(text, EUR_SCALE) as Eur;
/** The amount of a plain decimal in EUR with at most two decimals. Throws RangeError as `scaledFrom` does. */
export const centsFrom = (text: string) => scaledFrom(text, 2) as Cents;

/** Whether a plain decimal has no more places than amounts in EUR are exact to. */
export const fitsEur = (text: string): boolean => (text.split('.')[1] ?? '').length <= EUR_SCALE;

/** The rate of a plain decimal, EUR for one USD. Throws RangeError as `scaledFrom` does, and below 0. */
export function rateFrom(text: string): UsdEurRate {
  const rate = scaledFrom(text, RATE_SCALE);
  if (rate < 0n) throw new RangeError(`not a rate: ${text}`);
  return rate as UsdEurRate;
}

const percent = (whole: bigint) => whole * 10n ** BigInt(PERCENT_SCALE);
const HUNDRED_PERCENT = percent(100n);
const MOST_PERCENT = percent(10_000n);

/** The markup of a plain decimal in percent. Throws RangeError as `scaledFrom` does, and outside −100 to 10,000. */
export function aufschlagFrom(text: string): Aufschlag {
  const aufschlag = scaledFrom(text, PERCENT_SCALE);
  if (aufschlag < -HUNDRED_PERCENT || aufschlag > MOST_PERCENT)
    throw new RangeError(`not a markup of -100 to 10000 percent: ${text}`);
  return aufschlag as Aufschlag;
}

/** Plain decimal in USD. */
export const usdText = (amount: Usd) => textOf(amount, USD_SCALE);
/** Plain decimal in EUR. */
export const eurText = (amount: Eur) => textOf(amount, EUR_SCALE);
/** Plain decimal in EUR of whole cents. */
export const centsText = (amount: Cents) => textOf(amount, 2);

export const plus = <A extends Amount>(a: A, b: NoInfer<A>) => ((a as bigint) + b) as A;
export const minus = <A extends Amount>(a: A, b: NoInfer<A>) => ((a as bigint) - b) as A;

/** USD × rate, exactly. */
export const toEur = (amount: Usd, rate: UsdEurRate) => (amount * rate) as Eur;

/** Divides by a positive power of ten: half a unit goes away from zero, as commercial rounding (DIN 1333) has it. */
function halfUp(value: bigint, decimals: number): bigint {
  const one = 10n ** BigInt(decimals);
  const half = one / 2n;
  return (value < 0n ? value - half : value + half) / one;
}

/** An amount to the cent, half-up: 0.005 EUR becomes 0.01, −0.005 EUR becomes −0.01. */
export const toCents = (amount: Eur) => halfUp(amount, EUR_SCALE - 2) as Cents;

/** What a cost is charged at, to the cent: the markup is added exactly, and the result is rounded as in `toCents`. */
export const priceOf = (cost: Eur, aufschlag: Aufschlag) =>
  halfUp(cost * (HUNDRED_PERCENT + aufschlag), EUR_SCALE + PERCENT_SCALE) as Cents;

/** What part of a whole an amount is, as a plain decimal of six places at most, half-up; 0 of nothing. Neither is negative. */
export const shareOf = (part: bigint, whole: bigint): string =>
  whole === 0n ? '0' : textOf((2_000_000n * part + whole) / (2n * whole), 6);

/** The markup on a cost, exactly, as a plain decimal in EUR. */
export const markupText = (cost: Eur, aufschlag: Aufschlag) =>
  textOf(cost * aufschlag, EUR_SCALE + PERCENT_SCALE + 2);

/**
 * What parts of a cost are charged at, to the cent, so that they add up to `total`, which is what their sum is charged at: each is
 * rounded down, and the cents that are left go to those that lost most, the first of equal ones first.
 */
export function apportion(parts: readonly Eur[], aufschlag: Aufschlag, total: Cents): Cents[] {
  const one = 10n ** BigInt(EUR_SCALE + PERCENT_SCALE);
  const exact = parts.map((part) => part * (HUNDRED_PERCENT + aufschlag));
  const lost = exact.map((value) => ((value % one) + one) % one);
  const cents = exact.map((value, index) => (value - (lost[index] as bigint)) / one);
  const order = lost
    .map((_, index) => index)
    .sort((a, b) => {
      const [first, second] = [lost[a] as bigint, lost[b] as bigint];
      return first === second ? a - b : first > second ? -1 : 1;
    });
  const left = Number(total - cents.reduce((sum, value) => sum + value, 0n));
  for (const index of order.slice(0, left)) cents[index] = (cents[index] as bigint) + 1n;
  return cents as Cents[];
}
