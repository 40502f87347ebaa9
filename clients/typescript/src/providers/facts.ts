import { type Counts, sumOf } from './shape.ts';

/** What a price depends on besides the five counts, under the names by which the service knows them (clients/typescript/README.md). */
export interface Facts {
  preisstufe: string | null;
  region: string | null;
  cache_schreib_1h_token: number | null;
  audio_eingabe_token: number | null;
  bild_eingabe_token: number | null;
  video_eingabe_token: number | null;
  audio_cache_lese_token: number | null;
  bild_cache_lese_token: number | null;
  audio_ausgabe_token: number | null;
  bild_ausgabe_token: number | null;
  video_ausgabe_token: number | null;
  zitat_token: number | null;
  laengste_eingabe_token: number | null;
  websuchen: number | null;
  dateisuchen: number | null;
  codeausfuehrungen: number | null;
  reranksuchen: number | null;
  zeichen: number | null;
  sekunden: number | null;
  seiten: number | null;
  bilder: number | null;
  gemeldete_kosten_usd: string | null;
  eingabe_ist_summe: boolean | null;
  /** For the record: no price hangs on them alone. */
  bildgroesse: string | null;
  bildguete: string | null;
}

/** Those of the facts that are known; what was not used at all (0) goes without saying, a cost of 0 does not. */
export function facts(found: Partial<Facts>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(found).filter(
      (entry): entry is [string, string | number | boolean] => entry[1] !== null && entry[1] !== 0,
    ),
  );
}

/** What the service takes of the name of a tier or a region. */
export const shortened = (name: string): string => [...name].slice(0, 40).join('');

/** The counts that some facts are parts of. */
const PARTS = {
  eingabe_token: ['audio_eingabe_token', 'bild_eingabe_token', 'video_eingabe_token'],
  ausgabe_token: ['audio_ausgabe_token', 'bild_ausgabe_token', 'video_ausgabe_token'],
  cache_lese_token: ['audio_cache_lese_token', 'bild_cache_lese_token'],
  cache_schreib_token: ['cache_schreib_1h_token'],
} as const;

/**
 * Without those parts that are together more than the count they are parts of: the service refuses an event that
 * contradicts itself, and the counts weigh more.
 */
export function withoutContradictions(
  zusatz: Record<string, unknown>,
  counts: Counts,
): Record<string, unknown> {
  const cache = counts.eingabeUmfasstCache ? [] : [counts.cache_lese_token, counts.cache_schreib_token];
  const wholes = {
    ...counts,
    eingabe_token: counts.eingabe_token === null ? null : sumOf(counts.eingabe_token, ...cache),
  };
  const tooLarge = Object.entries(PARTS).flatMap(([name, parts]) => {
    const whole = wholes[name as keyof typeof PARTS];
    const sum = parts.reduce((total, part) => total + Number(zusatz[part] ?? 0), 0);
    return whole !== null && sum > whole ? parts : [];
  });
  return Object.fromEntries(
    Object.entries(zusatz).filter(([name]) => !tooLarge.some((part) => part === name)),
  );
}

const USUAL_TIERS = new Set([
  'default',
  'standard',
  'auto',
  'on_demand',
  'unspecified',
  'traffic_type_unspecified',
]);

/** The price tier that was used, in lower case and without Google's prefix; null where it is the usual one. */
export function tierOf(tier: string | null): string | null {
  const name = tier?.toLowerCase().replace(/^(on_demand|service_tier)_/, '');
  return name === undefined || USUAL_TIERS.has(name) ? null : shortened(name);
}
