/** The rates of the price book as the form groups them, and amounts as people type them. */
import { BOOK_RATES, type BookRateName } from '#contracts/book-rates.ts';

/** What a rate is for, in the texts `preise.unit`. */
export type RateUnit = 'mtok' | 'mchars' | 'call' | 'second' | 'page' | 'image' | 'search' | 'execution';

const UNITS: Partial<Record<BookRateName, RateUnit>> = {
  aufruf: 'call',
  sekunde: 'second',
  zeichen: 'mchars',
  seite: 'page',
  bild: 'image',
  websuche: 'search',
  dateisuche: 'search',
  reranksuche: 'search',
  codeausfuehrung: 'execution',
};

/** All that are not named are by the million tokens. */
export const unitOf = (name: BookRateName): RateUnit => UNITS[name] ?? 'mtok';

export const RATE_GROUPS = [
  { name: 'tokens', rates: ['eingabe', 'ausgabe', 'denken'] },
  { name: 'cache', rates: ['cache_lese', 'cache_schreib', 'cache_schreib_1h'] },
  {
    name: 'media',
    rates: [
      'audio_eingabe',
      'audio_ausgabe',
      'audio_cache_lese',
      'bild_eingabe',
      'bild_ausgabe',
      'bild_cache_lese',
      'video_eingabe',
      'video_ausgabe',
    ],
    folded: true,
  },
  { name: 'units', rates: ['aufruf', 'sekunde', 'zeichen', 'seite', 'bild'], folded: true },
  {
    name: 'tools',
    rates: ['websuche', 'dateisuche', 'codeausfuehrung', 'reranksuche', 'zitat'],
    folded: true,
  },
] as const satisfies { name: string; rates: BookRateName[]; folded?: true }[];

export const isTool = (name: BookRateName): boolean => 'tool' in BOOK_RATES[name];

/** Digits with one comma or point, whichever it is; with both, the last one begins the decimals. */
const oneSign = /^\d+([.,]\d+)?$/;
const grouped = /^[1-9]\d{0,2}(?:(?:\.\d{3})+,\d+|(?:,\d{3})+\.\d+)$/;

/**
 * An amount as the service reads it. Price lists write `1.125` and Germans `1,125`: in either language both mean a little more than
 * one. Anything else stays as it was typed, so that the service refuses it at its field.
 */
export function readRate(text: string): string {
  const trimmed = text.trim();
  if (oneSign.test(trimmed)) return trimmed.replace(',', '.');
  if (!grouped.test(trimmed)) return trimmed;
  const sign = trimmed.lastIndexOf(',') > trimmed.lastIndexOf('.') ? ',' : '.';
  const [whole = '', decimals = ''] = trimmed.split(sign);
  return `${whole.replace(/[.,]/g, '')}.${decimals}`;
}
