import { at, count, last, objectAt, text } from '../json.ts';
import { aboveZero, type Counts, noCounts, remainder, tierOf } from './shape.ts';

function cacheRead(usage: object, details: unknown): number | null {
  return (
    count(at(details, 'cached_tokens')) ??
    count(at(usage, 'prompt_cache_hit_tokens')) ?? // DeepSeek
    count(at(usage, 'cached_tokens')) // Moonshot
  );
}

/**
 * Counts of a usage block in OpenAI's form: `prompt_tokens`/`completion_tokens` (chat, completions, embeddings) or
 * `input_tokens`/`output_tokens` (responses). Input includes the cache. An embedding has no `completion_tokens`; the
 * block's own total then says 0. Output includes reasoning except at xAI and Gemini's compatible endpoint, which shows
 * in the total: it then exceeds input and output by exactly the reasoning tokens.
 */
export function openAiCounts(usage: object): Counts {
  const inputDetails =
    at(usage, 'prompt_tokens_details') ??
    at(usage, 'prompt_token_details') ??
    at(usage, 'input_tokens_details');
  const outputDetails = at(usage, 'completion_tokens_details') ?? at(usage, 'output_tokens_details');
  const total = count(at(usage, 'total_tokens'));
  const eingabe = count(at(usage, 'prompt_tokens')) ?? count(at(usage, 'input_tokens'));
  const sent = count(at(usage, 'completion_tokens')) ?? count(at(usage, 'output_tokens'));
  const denk = count(at(outputDetails, 'reasoning_tokens'));
  const ausgabe = sent ?? (eingabe === null ? null : remainder(total, eingabe));
  const onTop = denk !== null && denk > 0 && sent !== null && remainder(total, eingabe, sent) === denk;
  return {
    ...noCounts(),
    eingabe_token: eingabe,
    ausgabe_token: ausgabe,
    cache_lese_token: cacheRead(usage, inputDetails),
    cache_schreib_token: count(at(inputDetails, 'cache_write_tokens')),
    denk_token: denk,
    ausgabeUmfasstDenken: !onTop,
    zusatz: aboveZero({
      eingabe_audio_token: count(at(inputDetails, 'audio_tokens')),
      ausgabe_audio_token: count(at(outputDetails, 'audio_tokens')),
    }),
  };
}

/** Counts of the last usage block in the parts (in a stream `usage` is null until the end; Groq nests it). */
export function openAiStreamCounts(parts: unknown[]): Counts {
  const usage = last(parts, (part) => objectAt(part, 'usage') ?? objectAt(part, 'x_groq', 'usage'));
  if (usage === null) return noCounts();
  const counts = openAiCounts(usage);
  const tier = last(parts, (part) => text(at(part, 'service_tier')));
  return { ...counts, zusatz: { ...counts.zusatz, ...tierOf(tier) } };
}
