import type { Answer } from '../answer.ts';

/** Token counts as one answer carries them; null where the provider did not say. */
export interface Counts {
  eingabe_token: number | null;
  ausgabe_token: number | null;
  cache_lese_token: number | null;
  cache_schreib_token: number | null;
  denk_token: number | null;
  /** Whether `eingabe_token` contains the cached tokens (OpenAI) or stands beside them (Anthropic). */
  eingabeUmfasstCache: boolean;
  /** Whether `ausgabe_token` contains the reasoning tokens (OpenAI) or stands beside them (Gemini, xAI). */
  ausgabeUmfasstDenken: boolean;
  /** What a price may depend on besides the counts: price tier, audio tokens, cache writes that live longer. */
  zusatz: Record<string, unknown>;
}

/** What one exchange says about its use of a model. */
export interface Usage extends Counts {
  modell: string | null;
  /** Calls of tools in the answer, not in the history of the request. */
  werkzeugaufrufe: number;
}

/** One form in which providers answer. */
export interface Shape {
  name: string;
  /** The provider whose own form this is, for hosts that the price list does not know. */
  anbieter?: string;
  matchesUri(answer: Answer): boolean;
  /** For hosts and paths of one's own (proxies): decides by the form of the answer. */
  matchesBody(answer: Answer): boolean;
  toUsage(answer: Answer): Usage;
}

/** Counts of an answer that has none: a stream without a usage block, an error. */
export function noCounts(): Counts {
  return {
    eingabe_token: null,
    ausgabe_token: null,
    cache_lese_token: null,
    cache_schreib_token: null,
    denk_token: null,
    eingabeUmfasstCache: true,
    ausgabeUmfasstDenken: true,
    zusatz: {},
  };
}

const USUAL_TIERS = new Set(['default', 'standard', 'auto', 'on_demand']);

/** Entry for the price tier, empty where it is the usual one. */
export function tierOf(tier: string | null): Record<string, string> {
  return tier === null || USUAL_TIERS.has(tier) ? {} : { preisstufe: tier };
}

/** The entries whose count is known and above 0. */
export function aboveZero(counts: Record<string, number | null>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(counts).filter((entry): entry is [string, number] => (entry[1] ?? 0) > 0),
  );
}

/** What the provider's own total leaves after the other counts; null where the total is missing or smaller. */
export function remainder(total: number | null, ...parts: (number | null)[]): number | null {
  if (total === null) return null;
  const rest = total - parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  return rest >= 0 ? rest : null;
}
