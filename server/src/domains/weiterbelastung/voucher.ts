/** The number of a line in bookkeeping, by which payments are matched. */
import { createHash } from 'node:crypto';
import type { Line } from './line.ts';

const MOST_VOUCHER = 36;
const HASH = 8;

/** German letters as they are written without umlauts, before anything else is left out. */
const WITHOUT_UMLAUT: Record<string, string> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  ß: 'ss',
};

/**
 * The key by which payments are matched: month, for a correction the month it corrects, reference. The same for the same line
 * whatever else is in the batch. A reference that had to be changed or cut ends with `%` and a part of its hash; one that holds a `%`
 * counts as changed, so that no two references share a key.
 */
export function voucherOf(month: string, line: Pick<Line, 'art' | 'monat' | 'referenz'>): string {
  const digits = (monat: string) => monat.replace('-', '');
  const start = `${digits(month)}${line.art === 'korrektur' ? `K${digits(line.monat)}` : ''}-`;
  if (/^[A-Za-z0-9$/-]+$/.test(line.referenz) && start.length + line.referenz.length <= MOST_VOUCHER)
    return start + line.referenz;
  const hash = createHash('sha256').update(line.referenz).digest('hex').slice(0, HASH);
  const written = line.referenz
    .normalize('NFC')
    .replace(/[äöüÄÖÜß]/g, (letter) => WITHOUT_UMLAUT[letter] as string)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9$/-]+/g, '-');
  return `${start}${written.slice(0, MOST_VOUCHER - start.length - HASH - 1)}%${hash}`;
}
