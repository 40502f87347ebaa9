/** What a request may use at most, from the request alone: a reservation must not promise too little. */
import { at, count, list, text } from '../json.ts';
import { placeOfRequest } from '../to-events.ts';

export interface Demand {
  anbieter: string | null;
  region: string | null;
  preisstufe: string | null;
  /** Tokens at most; null: as many as the model takes, or writes. */
  eingabe: number | null;
  ausgabe: number | null;
  /** Whether input may be written to the cache, which may cost more than input does. */
  cacheSchreiben: boolean;
  /** Whether tokens are all that is billed. */
  begrenzt: boolean;
}

/** A request as far as it is known before it is made. */
export interface Request {
  readonly uri: string;
  readonly modell: string | null;
  /** As it goes over the wire; null of uploads. */
  readonly body: string | null;
  /** The same, parsed. */
  readonly request: unknown;
}

/** Pictures, files and what is stored with the provider have more tokens than the request has bytes. Text within has a stroke before its quotes. */
const BEYOND_THE_BODY =
  /"(image_url|input_image|input_file|file_id|file_data|fileData|inlineData|inline_data|fileUri|file_uri|previous_response_id|cachedContent|cached_content|s3Location)"\s*:|"type"\s*:\s*"(image|input_image|input_file|document|video|file)"|"(conversation|prompt)"\s*:\s*(\{|"conv)|"(image|document|video)"\s*:\s*\{/;
const SOUND = /"input_audio"|"audio"\s*:\s*\{|[mM]odalities"\s*:\s*\[[^\]]*"audio"/i;
const CACHE = /"cache_control"|"cachePoint"/;
/** Billed by the page, the picture, the second. */
const BY_THE_PIECE = /\/(images|audio|rerank|ocr|transcriptions|speech|videos?)(\/|$)|:predict/i;
const SEARCHES = ['web_search_options', 'search_parameters', 'plugins'];

/** Instructions that providers put in where tools are named. */
const TOKENS_OF_TOOLS = 1_000;

const OUTPUT_BOUNDS: readonly (readonly string[])[] = [
  ['max_completion_tokens'],
  ['max_output_tokens'],
  ['max_tokens'],
  ['maxOutputTokens'],
  ['maxTokens'],
  ['max_tokens_to_sample'],
  ['generationConfig', 'maxOutputTokens'],
  ['generation_config', 'max_output_tokens'],
  ['inferenceConfig', 'maxTokens'],
  ['textGenerationConfig', 'maxTokenCount'],
  ['max_gen_len'],
  ['options', 'num_predict'],
];
const ANSWERS: readonly (readonly string[])[] = [
  ['n'],
  ['best_of'],
  ['num_generations'],
  ['generationConfig', 'candidateCount'],
];

const namedIn = (request: unknown, paths: readonly (readonly string[])[]): number | null => {
  for (const path of paths) {
    const found = count(at(request, ...path));
    if (found !== null) return found;
  }
  return null;
};

/** A tool that the caller runs: all that it costs are tokens. */
function isOwn(tool: unknown): boolean {
  const type = text(at(tool, 'type'));
  if (type !== null) return ['function', 'custom', 'provider'].includes(type);
  const names = Object.keys((tool ?? {}) as object);
  return !names.some((name) => /search|execution|retrieval|maps|url_?context|computer/i.test(name));
}

function outputOf({ uri, request }: Request): number | null {
  if (/embed/i.test(uri)) return 0;
  const bound = namedIn(request, OUTPUT_BOUNDS);
  return bound === null ? null : bound * Math.max(namedIn(request, ANSWERS) ?? 1, 1);
}

const TIERS = new Set(['auto', 'default', 'standard', 'standard_only', 'on_demand']);
function tierOf(request: unknown): string | null {
  const tier =
    text(at(request, 'service_tier')) ?? text(at(request, 'serviceTier')) ?? text(at(request, 'speed'));
  return tier === null || TIERS.has(tier) ? null : tier.slice(0, 40);
}

/** `bytesPerToken`: no tokenizer makes more than one token of a byte; of text that is known it is fewer. */
export function demandOf(asked: Request, bytesPerToken: number): Demand {
  const { uri, modell, body, request } = asked;
  const tools = list(at(request, 'tools'));
  const place = placeOfRequest(uri, modell);
  const isBilledByTokens =
    body !== null &&
    !BY_THE_PIECE.test(uri) &&
    !SOUND.test(body) &&
    !SEARCHES.some((key) => at(request, key) !== undefined);
  const isWithin = body !== null && !BEYOND_THE_BODY.test(body);
  const bytes = body === null ? 0 : new TextEncoder().encode(body).length;
  const more = tools.length > 0 || at(request, 'toolConfig') !== undefined ? TOKENS_OF_TOOLS : 0;
  return {
    ...place,
    preisstufe: tierOf(request),
    eingabe: isWithin ? Math.ceil(bytes / bytesPerToken) + more : null,
    ausgabe: outputOf(asked),
    cacheSchreiben: body !== null && CACHE.test(body),
    begrenzt: isBilledByTokens && tools.every(isOwn),
  };
}
