import type { Answer } from '../answer.ts';
import { isGoogle } from '../hosts.ts';
import { at, count, last, membersOf, objectAt, text } from '../json.ts';
import { facts, tierOf } from './facts.ts';
import { reportedCost } from './reported-cost.ts';
import { type Counts, noCounts, remainder, sumOf } from './shape.ts';

function cacheRead(usage: object, details: unknown): number | null {
  return (
    count(at(details, 'cached_tokens')) ??
    count(at(usage, 'prompt_cache_hit_tokens')) ?? // DeepSeek
    count(at(usage, 'cached_tokens')) // Moonshot
  );
}

/** Tool calls that xAI made on its own servers; before it listed them, the sources that a search used. */
function xaiTools(usage: object) {
  const used = (name: string) => count(at(usage, 'server_side_tool_usage_details', name));
  return {
    websuchen:
      sumOf(used('web_search_calls'), used('x_search_calls')) ?? count(at(usage, 'num_sources_used')),
    dateisuchen: sumOf(used('file_search_calls'), used('document_search_calls')),
    codeausfuehrungen: used('code_interpreter_calls'),
    // The model was asked again with what they found.
    eingabe_ist_summe:
      Object.values(objectAt(usage, 'server_side_tool_usage_details') ?? {}).some(Boolean) || null,
  };
}

function factsOf(usage: object, input: unknown, output: unknown, host: string) {
  const { websuchen, ...tools } = xaiTools(usage);
  // Perplexity bills a request by the size of its search context; only deep research, which counts citations, by the search.
  const isByContext = at(usage, 'search_context_size') != null && at(usage, 'citation_tokens') == null;
  return facts({
    audio_eingabe_token: count(at(input, 'audio_tokens')),
    bild_eingabe_token: count(at(input, 'image_tokens')),
    video_eingabe_token: count(at(input, 'video_tokens')),
    audio_cache_lese_token: count(at(input, 'cached_tokens_details', 'audio_tokens')),
    bild_cache_lese_token: count(at(input, 'cached_tokens_details', 'image_tokens')),
    audio_ausgabe_token: count(at(output, 'audio_tokens')),
    bild_ausgabe_token: count(at(output, 'image_tokens')),
    video_ausgabe_token: count(at(output, 'video_tokens')),
    zitat_token: count(at(usage, 'citation_tokens')),
    gemeldete_kosten_usd: reportedCost(usage, host),
    ...tools,
    websuchen: websuchen ?? (isByContext ? null : count(at(usage, 'num_search_queries'))),
    preisstufe: isByContext ? tierOf(text(at(usage, 'search_context_size'))) : null,
  });
}

/**
 * Reasoning tokens and whether they come on top of the output. They do at xAI and Gemini's compatible endpoint, which
 * shows in the total: it then exceeds input and output by exactly them. Google may leave them out altogether, so that
 * only the total has them. Perplexity counts them beside the output and leaves them out of the total.
 */
function reasoning(usage: object, details: unknown, visible: (number | null)[], host: string) {
  const rest = remainder(count(at(usage, 'total_tokens')), ...visible);
  const output = visible.at(-1) ?? null;
  const sent = count(at(details, 'reasoning_tokens')) ?? count(at(usage, 'reasoning_tokens'));
  if (!sent && isGoogle(host) && output !== null && rest) return { denk: rest, onTop: true };
  const beside = count(at(usage, 'num_search_queries')) !== null;
  return { denk: sent, onTop: Boolean(sent) && output !== null && (rest === sent || beside) };
}

/**
 * Counts of a usage block in OpenAI's form: `prompt_tokens`/`completion_tokens` (chat, completions, embeddings) or
 * `input_tokens`/`output_tokens` (responses, images, audio). Input includes the cache, output includes reasoning (but
 * see above). An embedding has no `completion_tokens`; the block's own total then says 0.
 */
export function openAiCounts(usage: object, { host }: Answer): Counts {
  const details = (name: string) => at(usage, `${name}_tokens_details`) ?? at(usage, `${name}_token_details`);
  const inputDetails = details('prompt') ?? details('input');
  const outputDetails = details('completion') ?? details('output');
  const eingabe = count(at(usage, 'prompt_tokens')) ?? count(at(usage, 'input_tokens'));
  const sent = count(at(usage, 'completion_tokens')) ?? count(at(usage, 'output_tokens'));
  const total = count(at(usage, 'total_tokens'));
  const { denk, onTop } = reasoning(usage, outputDetails, [eingabe, sent], host);
  return {
    ...noCounts(),
    eingabe_token: eingabe,
    ausgabe_token: sent ?? (eingabe === null ? null : remainder(total, eingabe)),
    cache_lese_token: cacheRead(usage, inputDetails),
    cache_schreib_token: count(at(inputDetails, 'cache_write_tokens')),
    denk_token: denk,
    ausgabeUmfasstDenken: !onTop,
    zusatz: factsOf(usage, inputDetails, outputDetails, host),
  };
}

/** The tier an answer names: OpenAI and its followers beside the usage block, Vertex AI inside. */
function tierIn(part: unknown): string | null {
  const { service_tier, usage } = membersOf(part);
  return text(service_tier) ?? text(at(usage, 'extra_properties', 'google', 'traffic_type'));
}

/** Counts of the last usage block in the parts (in a stream `usage` is null until the end; Groq nests it). */
export function openAiStreamCounts(answer: Answer): Counts {
  const { parts } = answer;
  const usage = last(parts, (part) => objectAt(part, 'usage') ?? objectAt(part, 'x_groq', 'usage'));
  const counts = usage === null ? noCounts() : openAiCounts(usage, answer);
  const preisstufe = tierOf(last(parts, tierIn));
  return { ...counts, zusatz: { ...counts.zusatz, ...facts({ preisstufe }) } };
}
