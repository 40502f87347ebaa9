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
  /** What a price may depend on besides the counts (`facts`), and notes. */
  zusatz: Record<string, unknown>;
}

/** What one call of a model used. */
export interface Usage extends Counts {
  modell: string | null;
  /** Calls of tools in the answer, not in the history of the request. */
  werkzeugaufrufe: number;
  /** True where some of the counts are estimates. */
  geschaetzt?: true;
  /** Names a result that may be read several times, so that its event is the same every time. */
  ergebnis?: string;
}

/** One form in which providers answer. */
export interface Shape {
  name: string;
  /** The provider whose own form this is, for hosts that the price list does not know. */
  anbieter?: string;
  /** Whether results are also fetched later, by reading. Otherwise only a POST is a call. */
  polled?: true;
  matchesUri(answer: Answer): boolean;
  /** For hosts and paths of one's own (proxies): decides by the form of the answer. */
  matchesBody(answer: Answer): boolean;
  /** One per model that the call used; none where it has no result yet, or is a second look at one. */
  toUsages(answer: Answer): Usage[];
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

/** What the provider's own total leaves after the other counts; null where the total is missing or smaller. */
export function remainder(total: number | null, ...parts: (number | null)[]): number | null {
  if (total === null) return null;
  const rest = total - parts.reduce<number>((sum, part) => sum + (part ?? 0), 0);
  return rest >= 0 ? rest : null;
}

/** The sum of those that are known; null where none is, or where it is larger than any count can be. */
export function sumOf(...counts: (number | null)[]): number | null {
  const known = counts.filter((value) => value !== null);
  const sum = known.reduce((total, value) => total + value, 0);
  return known.length === 0 || !Number.isSafeInteger(sum) ? null : sum;
}
