/**
 * Revenue accounts of the charts SKR03 and SKR04 on which bookkeeping works out VAT by itself, or not at all. Source: DATEV's
 * charts for 2026 (Art.-Nr. 11174 and 11175), four-digit numbers.
 */

export type Kontenrahmen = '03' | '04';

interface Stretch {
  from: number;
  to: number;
  /** Percent of VAT taken out of what is booked; null where a booking can have none at all. */
  percent: string | null;
}

const stretch = (from: number, to: number, percent: string | null): Stretch => ({ from, to, percent });

const STRETCHES: Record<Kontenrahmen, readonly Stretch[]> = {
  '03': [
    stretch(1590, 1590, null),
    stretch(8100, 8105, '0'),
    stretch(8120, 8120, '0'),
    stretch(8125, 8125, '0'),
    stretch(8192, 8192, '0'),
    stretch(8290, 8290, '0'),
    stretch(8300, 8309, '7'),
    stretch(8336, 8339, '0'),
    stretch(8400, 8419, '19'),
    stretch(8640, 8644, '19'),
    stretch(8950, 8950, null),
  ],
  '04': [
    stretch(1370, 1370, null),
    stretch(4100, 4105, '0'),
    stretch(4120, 4120, '0'),
    stretch(4125, 4125, '0'),
    stretch(4184, 4184, '0'),
    stretch(4290, 4290, '0'),
    stretch(4300, 4309, '7'),
    stretch(4336, 4339, '0'),
    stretch(4400, 4419, '19'),
    stretch(4690, 4690, null),
    stretch(4836, 4836, '19'),
  ],
};

/** Receivables as a whole: bookings come to it from the customers' accounts, nobody books on it. */
const RECEIVABLES: Record<Kontenrahmen, number> = { '03': 1400, '04': 1200 };

/** The number in the four-digit chart; null for an account of one's own between two of the chart. */
export function inChart(konto: string, laenge: number): number | null {
  const step = 10 ** (laenge - 4);
  return Number(konto) % step === 0 ? Number(konto) / step : null;
}

/** What the chart says of VAT on an account, by its number at the given length of account numbers; null where it says nothing. */
export function vatOf(
  konto: string,
  rahmen: Kontenrahmen,
  laenge: number,
): { percent: string | null } | null {
  const number = inChart(konto, laenge);
  return STRETCHES[rahmen].find(({ from, to }) => number !== null && from <= number && number <= to) ?? null;
}

export const isReceivables = (konto: string, rahmen: Kontenrahmen, laenge: number): boolean =>
  inChart(konto, laenge) === RECEIVABLES[rahmen];

/** Keys that an automatic account takes: the one that turns its automatism off, and those of a general reversal. */
export const liftsAutomatism = (key: string): boolean => /^0*(40|2\d)$/.test(key);
