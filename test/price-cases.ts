/**
 * Calls and what they cost by the providers' published prices, to the last digit. One table: the golden test holds the
 * service to it, `npm run prices:compare` holds other lists beside it.
 */

interface Tokens {
  eingabe?: number | null;
  ausgabe?: number | null;
  lesen?: number | null;
  schreiben?: number | null;
  denk?: number | null;
}

export interface Call {
  anbieter: string | null;
  modell: string;
  tokens: Tokens;
  /** Free data of the event, as it was sent. */
  zusatz?: Record<string, unknown>;
  /** Instant of the call; the usual day of the cases where missing. */
  at?: string;
}

export interface PriceCase extends Call {
  /** Exact USD; with `+` behind it where some of the call has no rate; null when it has no price. */
  usd: string | null;
  /** `provider/model` as lists know it, where the call says it otherwise; null where it is nobody's. */
  listed?: string | null;
}

/** The day of calls that name none. */
export const USUAL_DAY = '2026-11-20T12:00:00Z';

type Row = [
  usd: string | null,
  anbieter: string | null,
  modell: string,
  tokens: Tokens,
  zusatz?: Record<string, unknown>,
  more?: { at?: string; listed?: string | null },
];

const caseOf = ([usd, anbieter, modell, tokens, zusatz, more]: Row): PriceCase => ({
  usd,
  anbieter,
  modell,
  tokens,
  zusatz: zusatz ?? {},
  ...more,
});

const CALL = { eingabe: 1_000, ausgabe: 500 };
const SONNET = 'claude-sonnet-4-5';
const BEDROCK = 'anthropic.claude-sonnet-4-5-20250929-v1:0';
const AUDIO = { audio_eingabe_token: 800, audio_ausgabe_token: 400 };
const IMAGE = { bild_ausgabe_token: 1_290 };
const WRITES = { eingabe: 100, ausgabe: 200, schreiben: 10_000 };
const CACHED = { eingabe: 20_000, lesen: 10_000, ausgabe: 0 };

const FACTS: Row[] = [
  ['0.4575', 'anthropic', SONNET, { eingabe: 150_000, ausgabe: 500 }, { laengste_eingabe_token: 30_000 }],
  ['0.7575', 'anthropic', SONNET, { eingabe: 250_000, ausgabe: 500 }, { laengste_eingabe_token: 60_000 }],
  // Tools of the provider ask again and again: of a longest prompt that nobody told the lower price is certain.
  ['9.11+', 'openai', 'gpt-5.5-pro', { eingabe: 300_000, ausgabe: 500 }, { websuchen: 2 }],
  [
    '18.155',
    'openai',
    'gpt-5.5-pro',
    { eingabe: 300_000, ausgabe: 500 },
    { websuchen: 2, eingabe_ist_summe: false },
  ],
  ['0.04525+', 'anthropic', 'claude-haiku-5-5', { eingabe: 150_000, ausgabe: 500 }, { websuchen: 3 }],
  ['0.7025', 'google', 'gemini-2.5-pro', { eingabe: 250_000, ausgabe: 500 }, { websuchen: 2 }],
  ['0.0633', 'anthropic', SONNET, WRITES, { cache_schreib_1h_token: 10_000 }],
  ['0.0498', 'anthropic', SONNET, WRITES, { cache_schreib_1h_token: 4_000 }],
  ['0.0408', 'anthropic', SONNET, WRITES],
  ['0.00525', 'anthropic', SONNET, CALL, { preisstufe: 'batch' }],
  ['0.03165', 'anthropic', SONNET, WRITES, { preisstufe: 'batch', cache_schreib_1h_token: 10_000 }],
  ['0.0105', 'anthropic', SONNET, CALL, { preisstufe: 'standard', region: 'global' }],
  ['0.003125', 'openai', 'gpt-5', CALL, { preisstufe: 'flex' }],
  ['0.0125', 'openai', 'gpt-5', CALL, { preisstufe: 'Priority' }],
  ['0.003125', 'openai', 'gpt-5', CALL, { preisstufe: 'batch' }],
  // Half of global standard, as OpenAI's own.
  ['0.003125', 'azure', 'gpt-5', CALL, { preisstufe: 'batch' }],
  ['0.003', 'azure', 'gpt-4.1', CALL, { preisstufe: 'batch' }],
  ['0.003', 'azure', 'o3-2025-04-16', CALL, { preisstufe: 'batch' }],
  ['0.00165', 'azure', 'o4-mini', CALL, { preisstufe: 'batch' }],
  ['0.001575', 'aws', 'eu.amazon.nova-pro-v1:0', CALL, { preisstufe: 'batch' }],
  ['0.0012', 'aws', 'amazon.nova-pro-v1:0', CALL, { preisstufe: 'batch' }],
  ['0.0527', 'openai', 'gpt-audio', CALL, AUDIO],
  ['0.0655', 'openai', 'gpt-4o-audio-preview', CALL, AUDIO],
  ['0.01609', 'openai', 'gpt-4o-mini-audio-preview', CALL, AUDIO],
  // Azure asks for it what the preview cost.
  ['0.0655', 'azure', 'gpt-audio-2025-08-28', CALL, AUDIO],
  ['0.0527', 'azure', 'gpt-audio-1.5', CALL, AUDIO],
  ['0.0375', 'azure', 'gpt-4o-audio-preview-2024-12-17', CALL, { audio_eingabe_token: 800 }],
  ['0.00833', 'azure', 'gpt-4o-mini-audio-preview', CALL, { audio_eingabe_token: 800 }],
  ['0.001155', 'google', 'gemini-2.5-flash', { eingabe: 1_100, ausgabe: 50 }, { audio_eingabe_token: 1_000 }],
  // 300 of the cached tokens are audio, at its own rate: 700 fresh audio, 100 text, 300 and 200 cached.
  [
    '0.000891',
    'google',
    'gemini-2.5-flash',
    { eingabe: 1_300, ausgabe: 50, lesen: 500 },
    { audio_eingabe_token: 1_000, audio_cache_lese_token: 300 },
  ],
  [
    '0.03873',
    'google',
    'gemini-2.5-flash-image',
    { eingabe: 100, ausgabe: 1_290 },
    { bild_ausgabe_token: 1_290 },
  ],
  // Billed as text, as the providers say.
  ['0.0075', 'openai', 'gpt-4o', CALL, { bild_eingabe_token: 800 }],
  ['0.0002036', 'google', 'gemini-2.5-flash', { eingabe: 262, ausgabe: 50 }, { bild_eingabe_token: 258 }],
  ['0.00155', 'google', 'gemini-2.5-flash', CALL, { video_eingabe_token: 800 }],
  ['0.00625', 'google', 'gemini-2.5-pro', CALL, { audio_eingabe_token: 800 }],
  [
    '0.000625',
    'google',
    'gemini-2.5-pro',
    { eingabe: 5_000, ausgabe: 0, lesen: 5_000 },
    { audio_eingabe_token: 5_000 },
  ],

  ['0.0405', 'openai', 'gpt-image-1', { eingabe: 100, ausgabe: 1_000 }, { bild_ausgabe_token: 1_000 }],
  ['0.0105', 'anthropic', SONNET, CALL, { bild_eingabe_token: 800 }],
  // Beyond 200k tokens it is the sum of several prompts, since none is longer.
  ['0.7575', 'anthropic', SONNET, { eingabe: 250_000, ausgabe: 500 }],
  ['1.51125', 'anthropic', SONNET, { eingabe: 250_000, ausgabe: 500 }, {}, { at: '2026-04-20T12:00:00Z' }],
  ['0.37875', 'anthropic', SONNET, { eingabe: 250_000, ausgabe: 500 }, { preisstufe: 'batch' }],
  ['0.83325', 'aws', `us.${BEDROCK}`, { eingabe: 250_000, ausgabe: 500 }],
  ['9.0675', 'openai', 'gpt-5.5-pro', { eingabe: 300_000, ausgabe: 500 }, { preisstufe: 'batch' }],
  ['4.545+', 'openai', 'gpt-5.5-pro', { eingabe: 300_000, ausgabe: 500 }, { preisstufe: 'flex' }],
  [
    '0.012',
    'openai',
    'ft:gpt-4.1-2025-04-14:firma::x',
    { eingabe: 10_000, lesen: 6_000, ausgabe: 500 },
    { preisstufe: 'batch' },
  ],
  // What of the cache costs at a tier that says nothing of it.
  ['0.0125+', 'openai', 'gpt-4o', { eingabe: 10_000, lesen: 6_000, ausgabe: 0 }, { preisstufe: 'batch' }],
  ['0.0405', 'anthropic', SONNET, CALL, { websuchen: 3 }],
  ['0.026', 'openai', 'gpt-4.1', CALL, { websuchen: 2 }],
  ['0.0085', 'openai', 'gpt-4.1', CALL, { dateisuchen: 1 }],
  ['0.03655', 'google', 'gemini-2.5-flash', CALL, { websuchen: 1 }],
  ['0.0065', 'perplexity', 'sonar', CALL, { preisstufe: 'low' }],
  // Perplexity searches a small context where nothing else was asked for.
  ['0.0065', 'perplexity', 'sonar', CALL],
  ['0.0095', 'perplexity', 'sonar', CALL, { preisstufe: 'medium' }],
  ['0.0135', 'perplexity', 'sonar', CALL, { preisstufe: 'high' }],
  ['0.06963', 'aws', `eu.${BEDROCK}`, WRITES, { cache_schreib_1h_token: 10_000 }],
  ['0.01925', 'anthropic', 'claude-opus-4-6', CALL, { region: 'us' }],
  ['0.105', 'anthropic', 'claude-opus-4-6', CALL, { preisstufe: 'fast' }],
  ['0.009625', 'anthropic', 'claude-opus-4-6', CALL, { preisstufe: 'batch', region: 'us' }],
  // Reasoning, citations and searches at rates of their own, the rest of the output at its.
  [
    '0.0272',
    'perplexity',
    'sonar-deep-research',
    { eingabe: 1_000, ausgabe: 1_500, denk: 400 },
    { zitat_token: 100, websuchen: 3 },
  ],
];

const NO_TOKENS: Row[] = [
  ['0.006', 'openai', 'whisper-1', {}, { sekunden: 60 }],
  ['0.00615', 'openai', 'whisper-1', {}, { sekunden: '61.5' }],
  ['0.00000000001', 'openai', 'whisper-1', {}, { sekunden: 1e-7 }],
  // Ten seconds at least; an hour has no whole number of decimals, so this is rounded at the last one kept.
  ['0.000308333333333333333333', 'groq', 'whisper-large-v3', {}, { sekunden: '3' }],
  ['0.012', 'mistral', 'mistral-ocr-latest', {}, { seiten: 3 }],
  ['0.004', 'cohere', 'rerank-v3.5', {}, { reranksuchen: 2 }],
  [null, 'openai', 'gpt-4o', {}, { sekunden: 3 }],
  [null, 'openai', 'gpt-4o', {}, { bilder: 3 }],
];

const IN_PART: Row[] = [
  ['0.00625+', 'openai', 'gpt-5', CALL, { preisstufe: 'warp' }],
  ['0.00625+', 'azure', 'gpt-5', CALL, { preisstufe: 'priority' }],
  ['0.00625+', 'openai', 'gpt-5', CALL, { region: 'mond' }],
  ['0.0006+', 'openai', 'gpt-4o-mini', { eingabe: 4_000, ausgabe: 0 }, { codeausfuehrungen: 1 }],
  ['0.0006+', 'openai', 'gpt-4o-mini', { eingabe: 4_000, ausgabe: 0 }, { zitat_token: 5 }],
  // Kept for an hour, for which this entry says no rate: what it costs for five minutes is the least.
  [
    '0.0405+',
    'aws',
    'global.anthropic.claude-sonnet-4-20250514-v1:0',
    { eingabe: 1_000, schreiben: 10_000 },
    { cache_schreib_1h_token: 10_000 },
  ],
  // Sound and pictures at a host that has rates for text alone: what text costs is the least.
  ['0.003255+', 'openrouter', 'google/gemini-2.5-flash-image', { eingabe: 100, ausgabe: 1_290 }, IMAGE],
  ['0.00155+', 'openrouter', 'google/gemini-2.5-flash', CALL, { audio_eingabe_token: 800 }],
  ['0.0003+', 'openrouter', 'google/gemini-2.0-flash-001', CALL, { audio_eingabe_token: 800 }],
  ['0.0075+', 'openrouter', 'openai/gpt-4o-audio-preview', CALL, { audio_eingabe_token: 800 }],
  ['0.0075+', 'azure', 'gpt-4o', CALL, { audio_eingabe_token: 800 }],
  // The rate of cached text is none of cached sound.
  [
    '0.00375+',
    'openai',
    'gpt-4o',
    { eingabe: 1_000, ausgabe: 250, lesen: 1_000 },
    { audio_eingabe_token: 1_000, audio_cache_lese_token: 1_000 },
  ],
  ['0.0075+', 'openai', 'gpt-4o', CALL, { video_eingabe_token: 800 }],
  // Seconds beside tokens that are billed are another measure of the same.
  ['0.0006', 'openai', 'gpt-4o-mini', { eingabe: 4_000, ausgabe: 0 }, { sekunden: 3 }],
];

const CORRECTED: Row[] = [
  ['0.00082', 'deepseek', 'deepseek-chat', CALL, {}, { at: '2025-09-05T12:00:00Z' }],
  ['0.0014', 'deepseek', 'deepseek-chat', CALL, {}, { at: '2025-09-28T12:00:00Z' }],
  ['0.0014', 'deepseek', 'deepseek-reasoner', CALL, {}, { at: '2025-09-10T20:00:00Z' }],
  ['0.00049', 'deepseek', 'deepseek-chat', CALL, {}, { at: '2025-09-29T12:00:00Z' }],
  ['0.00049', 'deepseek', 'deepseek-reasoner', CALL, {}, { at: '2026-01-10T20:00:00Z' }],
  // By then the name stood for V4 Flash.
  ['0.00028', 'deepseek', 'deepseek-chat', CALL, {}, { at: '2026-05-10T12:00:00Z' }],
  ['0.00002', 'aws', 'amazon.titan-embed-text-v2:0', { eingabe: 1_000 }],
  ['0.000225', 'groq', 'openai/gpt-oss-safeguard-20b', CALL],
  ['0.0098', 'anthropic', 'claude-sonnet-5-5', { eingabe: 2_000, ausgabe: 500, lesen: 8_000 }],
  // What is read from its cache cost twice as much until 6 October 2026.
  [
    '0.0106',
    'anthropic',
    'claude-sonnet-5-5',
    { eingabe: 2_000, ausgabe: 500, lesen: 8_000 },
    {},
    { at: '2026-10-06T12:00:00Z' },
  ],
  [
    '0.0053',
    'anthropic',
    'claude-sonnet-5-5',
    { eingabe: 2_000, ausgabe: 500, lesen: 8_000 },
    { preisstufe: 'batch' },
    { at: '2026-10-06T12:00:00Z' },
  ],
  ['0.00045', 'mistral', 'mistral-small-latest', CALL],
  ['0.00125', 'mistral', 'mistral-large-latest', CALL],
  ['0.0009', 'together', 'mistralai/Mixtral-8x7B-Instruct-v0.1', CALL],
  ['0.00078', 'openai', 'ft:gpt-4o-mini-2024-07-18:firma::x', { ...CALL, lesen: 800 }],
  ['0.0024', 'openai', 'ft:gpt-4.1-mini-2025-04-14:firma::x', CALL],
  [
    '1.51125',
    'aws',
    `global.${BEDROCK}`,
    { eingabe: 250_000, ausgabe: 500 },
    {},
    { at: '2025-11-15T12:00:00Z' },
  ],
  ['0.000234', 'aws', 'eu.amazon.nova-lite-v1:0', CALL],
  ['0.0125', 'openai', 'gpt-4o', CALL, {}, { at: '2024-07-10T12:00:00Z' }],
  ['0.0075', 'openai', 'gpt-4o', CALL],
  ['0.0025', 'openai', 'gpt-3.5-turbo', CALL, {}, { at: '2023-12-10T12:00:00Z' }],
  ['0.003', 'openai', 'davinci-002', CALL],
  // As the API names the model in its answers.
  ['0.003', 'openai', 'davinci:2023-07-21-v2', CALL, {}, { listed: 'openai/davinci-002' }],
  ['0.0006', 'openai', 'babbage-002', CALL],
  ['0.00025', 'mistral', 'mistral-small-2506', CALL],
  ['0.00125', 'cohere', 'command-r-03-2024', CALL],
  ['0.0105', 'cohere', 'command-r-plus-04-2024', CALL],
  ['0.00165', 'deepseek', 'deepseek-v4-pro', CALL],
  ['0.00165', 'deepseek', 'deepseek-v4-pro', CALL, {}, { at: '2026-11-25T12:00:00Z' }],
  ['0.00165', 'deepseek', 'deepseek-v4-pro', CALL, {}, { at: '2026-09-15T12:00:00Z' }],
  ['0.002486', 'deepseek', 'deepseek-v4-pro', { eingabe: 10_000, lesen: 8_000, ausgabe: 500 }],
  // Twice as dear at the dear hours, on Wednesday, and on none of Saturday, a holiday, or a day before they were.
  ['0.0033', 'deepseek', 'deepseek-v4-pro', CALL, {}, { at: '2026-11-25T07:00:00Z' }],
  ['0.00165', 'deepseek', 'deepseek-v4-pro', CALL, {}, { at: '2026-11-25T04:00:00Z' }],
  ['0.00165', 'deepseek', 'deepseek-v4-pro', CALL, {}, { at: '2026-11-21T07:00:00Z' }],
  ['0.00087', 'deepseek', 'deepseek-v4-pro', CALL, {}, { at: '2026-08-12T07:00:00Z' }],
  ['0.0009', 'deepseek', 'deepseek-flash', CALL, {}, { at: '2026-11-25T07:00:00Z' }],
  ['0.00045', 'deepseek', 'deepseek-flash', CALL, {}, { at: '2026-11-21T07:00:00Z' }],
  ['0.00045', 'deepseek', 'deepseek-flash', CALL, {}, { at: '2026-10-01T07:00:00Z' }],
  ['0.00045', 'deepseek', 'deepseek-v4-flash', CALL, {}, { at: '2026-10-01T07:00:00Z' }],
  ['0.0011', 'deepseek', 'deepseek-v4-flash', CALL, {}, { at: '2026-08-19T07:00:00Z' }],
  ['0.0004', 'zai', 'glm-5.3-flash', CALL],
  ['0.0002', 'zai', 'glm-5.3-flash', CALL, {}, { at: '2026-09-01T12:00:00Z' }],
  ['0.0017', 'zai', 'glm-4.6', CALL],
  ['0.0001125', 'google', 'gemini-1.5-flash-8b', CALL],
  ['0.000534', 'mistral', 'codestral-latest', { ...CALL, lesen: 800 }],
  ['0.00417', 'mistral', 'magistral-medium-latest', { ...CALL, lesen: 800 }],
  [
    '0.00306',
    'mistral',
    'magistral-medium-latest',
    { ...CALL, lesen: 800 },
    {},
    { at: '2026-07-31T12:00:00Z' },
  ],
  [
    '0.00417',
    'mistral',
    'magistral-medium-latest',
    { ...CALL, lesen: 800 },
    {},
    { at: '2026-08-01T12:00:00Z' },
  ],
  [
    '0.00156',
    'together',
    'meta-llama/Llama-3.3-70B-Instruct-Turbo',
    CALL,
    {},
    { at: '2026-10-20T12:00:00Z' },
  ],
  [
    '0.00132',
    'together',
    'meta-llama/Llama-3.3-70B-Instruct-Turbo',
    CALL,
    {},
    { at: '2026-06-20T12:00:00Z' },
  ],
  ['0.00045', 'mistral', 'magistral-small-latest', CALL],
  ['0.00525', 'mistral', 'mistral-medium', CALL],
  ['0.00049', 'deepseek', 'deepseek-v3.2', CALL],
  ['0.047', 'github-copilot', 'claude-fable-5.1', { eingabe: 10_000, lesen: 8_000, ausgabe: 500 }],
  ['0.01575', 'fireworks', 'accounts/fireworks/routers/kimi-k3-us', CALL],
  ['0.00135', 'fireworks', 'accounts/fireworks/models/gemma-3-27b-it', CALL],
  ['0.000335', 'novita', 'meta-llama/llama-3.3-70b-instruct', CALL],
  ['0.0022275', 'aws', 'eu.amazon.nova-2-lite-v1:0', CALL],
  ['0.0020515', 'aws', 'jp.amazon.nova-2-lite-v1:0', CALL],
  ['0.001705', 'aws', 'us.amazon.nova-2-lite-v1:0', CALL],
  ['0.05045', 'openai', 'gpt-4o-mini-search-preview', CALL, { websuchen: 2 }],
  ['0.11875', 'openai', 'daybreak-red-latest', { eingabe: 6_000, schreiben: 2_000, ausgabe: 500 }],
  ['0.0014', 'mistral', 'devstral-medium-latest', CALL],
  ['0.00525', 'mistral', 'mistral-medium-2604', CALL],
  ['0.0001', 'cohere', 'embed-english-v3.0', { eingabe: 1_000 }],
  ['0.00045', 'together', 'openai/gpt-oss-120b', CALL],
  ['0.0105', 'aws', 'cohere.command-r-plus-v1:0', CALL],
  ['0.000875', 'together', 'deepseek-ai/DeepSeek-V3', { eingabe: 200, ausgabe: 500 }],
  ['0.00125', 'azure', 'gpt-35-turbo-0125', CALL],
  ['0.0025', 'azure', 'gpt-35-turbo-instruct-0914', CALL],
  ['0.0003', 'mistral', 'ministral-14b-latest', CALL],
  ['0', 'openrouter', 'deepseek/deepseek-chat-v3-0324:free', CALL],
  ['0', 'openrouter', 'x-ai/grok-4-fast:free', CALL],
];

const NAMES: Row[] = [
  ['0.063', null, SONNET, CACHED, {}, { listed: `anthropic/${SONNET}` }],
  ['0.063', 'aws', `global.${BEDROCK}`, CACHED],
  ['0.063', 'google', SONNET, CACHED],
  [
    '0.00155',
    null,
    'gemini-2.5-flash',
    { eingabe: 1_000, ausgabe: 100, denk: 400 },
    {},
    { listed: 'google/gemini-2.5-flash' },
  ],
  ['0.0105', 'x_ai', 'grok-4', CALL, {}, { listed: 'x-ai/grok-4' }],
  ['0.0075', 'openai', 'openai/gpt-4o', CALL, {}, { listed: 'openai/gpt-4o' }],
  ['0.0075', null, 'openai/gpt-4o', CALL, {}, { listed: 'openai/gpt-4o' }],
  ['0.0075', 'eu.api.openai.com', 'gpt-4o', CALL, {}, { listed: 'openai/gpt-4o' }],
  [
    '0.00049',
    'api.deepseek.com',
    'deepseek-chat',
    CALL,
    {},
    { listed: 'deepseek/deepseek-chat', at: '2026-01-10T12:00:00Z' },
  ],
  ['0.00625', 'google', 'models/gemini-2.5-pro', CALL, {}, { listed: 'google/gemini-2.5-pro' }],
  ['0.00625', 'openai', 'gpt-5-2027-01-31', CALL, {}, { listed: 'openai/gpt-5' }],
  ['0.01155', null, BEDROCK, CALL, {}, { listed: `aws/${BEDROCK}` }],
  [
    '0.01155',
    'aws',
    `arn:aws:bedrock:eu-central-1:123456789012:inference-profile/eu.${BEDROCK}`,
    CALL,
    {},
    { listed: `aws/eu.${BEDROCK}` },
  ],
  // A date is never needed; what names no region is bound to none.
  ['0.063', 'aws', SONNET, CACHED],
  ['0.0693', 'aws', `anthropic.${SONNET}`, CACHED],
  ['0.0693', 'aws', `eu.anthropic.${SONNET}`, CACHED],
  ['0.063', 'aws', `global.anthropic.${SONNET}`, CACHED],
  ['0.00385', 'aws', 'anthropic.claude-haiku-4-5', CALL],
  ['0.0035', 'aws', 'claude-haiku-4-5', CALL],
  ['0.0175', 'aws', 'claude-opus-4-6', CALL],
  ['0.0105', 'aws', 'claude-3-7-sonnet', CALL],
  ['0.063', 'azure', SONNET, CACHED],
  // A region that stands in the name is a fact as any other.
  ['0.0077', 'aws', 'us.anthropic.claude-sonnet-5', CALL],
  ['0.0077+', 'aws', 'us-gov.anthropic.claude-sonnet-5', CALL],
  ['0.0024+', 'aws', 'us-gov-west-1/amazon.nova-pro-v1:0', CALL],
  ['0.0044+', 'aws', 'eu-west-2/meta.llama3-70b-instruct-v1:0', CALL],
  ['0.0044', 'aws', 'us-east-1/meta.llama3-70b-instruct-v1:0', CALL],
  ['0.0033+', 'azure', 'us/o4-mini', CALL],
  ['0.0075', 'azure', 'global-standard/gpt-4o-2024-08-06', CALL],
  [
    '0.0105+',
    'google',
    `projects/p/locations/us-east5/publishers/anthropic/models/${SONNET}`,
    CALL,
    {},
    { listed: null },
  ],
  [
    '0.00625',
    'google',
    'projects/p/locations/europe-west4/publishers/google/models/gemini-2.5-pro',
    CALL,
    {},
    { listed: null },
  ],
  // A name that goes on with another word is that of another model.
  [null, 'google', 'gemini-3.8-flash-cyber', CALL],
  [null, 'anthropic', 'claude-sonnet-5-5-fast', CALL],
  [null, 'deepseek', 'deepseek-v4-pro-max', CALL],
  // Anybody's own server may call its model what it likes, and name whom it likes before it.
  [null, 'eigener-server', 'openai/gpt-4o', CALL, {}, { listed: null }],
  [null, 'eigener-server', BEDROCK, CALL, {}, { listed: null }],
  [null, null, 'eigenes/gpt-4o', CALL, {}, { listed: null }],
  [null, '__proto__', 'constructor', CALL, {}, { listed: null }],
  [null, null, '__proto__/__proto__', CALL, {}, { listed: null }],
];

/** The cases by what they show. */
export const PRICE_CASES: Readonly<Record<string, readonly PriceCase[]>> = {
  'what a call says of itself decides its rates': FACTS.map(caseOf),
  'what is not billed by tokens': NO_TOKENS.map(caseOf),
  'what has no rate is priced in part': IN_PART.map(caseOf),
  'what the list lacks or has wrong': CORRECTED.map(caseOf),
  names: NAMES.map(caseOf),
};
