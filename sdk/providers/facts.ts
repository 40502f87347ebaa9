/** What a price depends on besides the five counts, under the names by which the service knows them (sdk/README.md). */
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
  websuchen: number | null;
  dateisuchen: number | null;
  codeausfuehrungen: number | null;
  reranksuchen: number | null;
  zeichen: number | null;
  sekunden: number | null;
  seiten: number | null;
  bilder: number | null;
  gemeldete_kosten_usd: string | null;
  /** For the record: no price hangs on them alone. */
  suchumfang: string | null;
  bildgroesse: string | null;
  bildguete: string | null;
}

/** Those of the facts that are known; what was not used at all (0) goes without saying, a cost of 0 does not. */
export function facts(found: Partial<Facts>): Record<string, string | number> {
  return Object.fromEntries(
    Object.entries(found).filter(
      (entry): entry is [string, string | number] => entry[1] !== null && entry[1] !== 0,
    ),
  );
}

/** What the service takes of a tier's or a region's name. */
export const MAX_NAME = 40;

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
  const name =
    tier
      ?.toLowerCase()
      .replace(/^(on_demand|service_tier)_/, '')
      .slice(0, MAX_NAME) ?? null;
  return name === null || USUAL_TIERS.has(name) ? null : name;
}
