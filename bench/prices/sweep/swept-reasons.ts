/** Why the newest lists and the service say different things without a mark: one sentence each, and who is right. */

export type SweptReason = {
  /** Name of the other list; null: either. */
  list: string | null;
  /** Of provider and model, as the list has them. */
  models: RegExp;
  facts?: RegExp;
  why: string;
} & (
  | { right: 'here' | 'there' }
  /** What would say who is right. */
  | { right: 'open'; decides: string }
);

const LITELLM = 'litellm';
const GENAI = 'genai-prices';

export const SWEPT_REASONS: readonly SweptReason[] = [
  {
    list: null,
    models: /^deepseek (deepseek\/)?deepseek-(chat|reasoner)$/,
    right: 'here',
    why: 'Both names stood for other models at other times, and for V4 Flash in the end; DeepSeek’s pages of those days have the rates used here.',
  },
  {
    list: LITELLM,
    models: /^deepseek .*deepseek-(flash|v4-flash|v4-flash-vision-exp|v4-pro)$/,
    right: 'here',
    why: 'The list has the price of the dear hours for all of them, and nothing for tokens written to the cache, which are input.',
  },
  {
    list: null,
    models: /^(deepseek|zai) /,
    facts: /^cache write$/,
    right: 'here',
    why: 'Nobody is asked for writing to the cache, so the tokens written cost what input does; the list has them for nothing.',
  },
  {
    list: null,
    models: /^deepseek .*v3\.2$/,
    right: 'here',
    why: 'DeepSeek sold V3.2 as deepseek-chat and deepseek-reasoner at 0.28 and 0.42 USD (its page of those days); the lists have other hosts’ rates under its name.',
  },
  {
    list: LITELLM,
    models: /^bedrock(_converse|_mantle)? (bedrock_mantle\/)?(anthropic\.claude|openai\.gpt-6)/,
    facts: /^(text|cache read|cache write|cache write 1h|long context)$/,
    right: 'here',
    why: 'Amazon asks for a tenth more where a model runs in a region, as under the bare name of its maker; the list has the price of the global name. Beyond 200,000 tokens it has a price that ended on 30 April 2026.',
  },
  {
    list: LITELLM,
    models: /^bedrock(_converse)? .*claude-(sonnet-4-5|sonnet-4-20250514)/,
    facts: /long context/,
    right: 'here',
    why: 'No prompt is longer than 200,000 tokens since the beta of longer ones ended on 30 April 2026.',
  },
  {
    list: LITELLM,
    models: /^anthropic .*claude-sonnet-4/,
    facts: /long context/,
    right: 'here',
    why: 'No prompt is longer than 200,000 tokens since the beta of longer ones ended on 30 April 2026.',
  },
  {
    list: GENAI,
    models: /^anthropic .*claude-sonnet-4-5/,
    facts: /long context/,
    right: 'here',
    why: 'No prompt is longer than 200,000 tokens since 30 April 2026.',
  },
  {
    list: null,
    models: /^bedrock.*claude-3-opus/,
    facts: /^cache/,
    right: 'here',
    why: 'Amazon has no cache for Claude 3 Opus (docs.aws.amazon.com/bedrock/latest/userguide/prompt-caching.html names the models that have one), so that no call has such tokens.',
  },
  {
    list: LITELLM,
    models: /^bedrock_mantle .*gpt-5\.[45]$/,
    facts: /long context/,
    right: 'here',
    why: 'Amazon takes no prompt beyond 272,000 tokens of these two: longer ones came in August 2026, for GPT-5.6 alone.',
  },
  {
    list: LITELLM,
    models: /^perplexity /,
    right: 'here',
    why: 'Perplexity takes a fee for every request besides its tokens; the list has rates for tokens only.',
  },
  {
    list: LITELLM,
    models: /^ovhcloud /,
    right: 'here',
    why: 'OVH lists its prices in euros (0.67 for a Llama of 70B); litellm has these figures as if they were dollars, this list has them converted.',
  },
  {
    list: LITELLM,
    models: /^cloudflare /,
    right: 'here',
    why: 'Cloudflare’s page has the rates used here, to the digit; litellm has rounded ones, and of two models those of former ones.',
  },
  {
    list: null,
    models: /^(fireworks|fireworks_ai) .*gemma-3-27b/,
    right: 'here',
    why: 'Fireworks has one price for models of more than 16 and up to 80 billion parameters, 0.90 USD (fireworks.ai/pricing); genai-prices has a ninth of it.',
  },
  {
    list: LITELLM,
    models: /^fireworks_ai .*llama-v3p1-8b/,
    right: 'here',
    why: 'Fireworks has one price for models of up to 16 billion parameters, 0.20 USD (fireworks.ai/pricing); litellm has half of it.',
  },
  {
    list: LITELLM,
    models: /^fireworks_ai .*deepseek-v4/,
    right: 'here',
    why: 'Both models were retired (27 August and 25 September 2026); genai-prices and models.dev have what they cost until then, litellm what Fireworks’ interface said afterwards.',
  },
  {
    list: GENAI,
    models: /^together .*Llama-3\.3-70B/,
    right: 'here',
    why: 'Together’s page and its interface had 1.04 USD from July 2026 on (github.com/anomalyco/models.dev/pull/2989; litellm); the list has the 0.88 of before. The model is retired since 22 October 2026.',
  },
  {
    list: GENAI,
    models: /^novita .*mistral-nemo/,
    right: 'here',
    why: 'litellm and models.dev have Novita’s price of October 2026 for what is put in, 0.04 USD; the list still has one price for both.',
  },
  {
    list: LITELLM,
    models: /^openai .*(gpt-4o-transcribe|gpt-4o-mini-transcribe)/,
    facts: /^audio in$/,
    right: 'here',
    why: 'OpenAI states a rate for audio (6 and 3 USD), which both genai-prices lists have; litellm has that of text.',
  },
  {
    list: LITELLM,
    models: /^(openai|azure) .*gpt-4o-mini-tts/,
    right: 'here',
    why: 'It puts out nothing but audio, at 12 USD; litellm has a rate for text that it never puts out.',
  },
  {
    list: LITELLM,
    models: /^openai /,
    facts: /^web search$/,
    right: 'here',
    why: 'OpenAI asks 10 USD for a thousand searches of its tool; litellm has 25, of the tool before it (`web_search_preview`). A call does not say which one it used.',
  },
  {
    list: LITELLM,
    models: /^openai .*(gpt-5\.6-cyber|daybreak-red)/,
    facts: /long context/,
    right: 'here',
    why: 'It takes 272,000 tokens, as litellm has it, too, so no prompt is as long as the price that litellm alone has for it.',
  },
  {
    list: LITELLM,
    models: /^openai ft:/,
    facts: /^cache write$/,
    right: 'here',
    why: 'OpenAI does not ask for writing to the cache of these models; litellm has half the price of input.',
  },
  {
    list: LITELLM,
    models: /^azure azure\/(ada|gpt-4-turbo|text-embedding)/,
    right: 'here',
    why: 'litellm has a tenth more, as it has (by Azure’s list of retail prices) for a deployment that is bound to Europe; a call that names no zone is taken for the global one, whose price both genai-prices lists have.',
  },
  {
    list: LITELLM,
    models: /^(vertex_ai|vertex_ai-language-models|gemini) .*gemini-3\.5-flash/,
    facts: /tier/,
    right: 'here',
    why: 'Rounded in the list: Google states these rates with two decimals.',
  },
  {
    list: LITELLM,
    models: /^vertex_ai.* .*gemini-3-pro-image/,
    facts: /long context/,
    right: 'here',
    why: 'It takes 65,536 tokens, so no prompt is as long as the price that litellm alone has for it.',
  },
  {
    list: LITELLM,
    models: /^vertex_ai .*gemini-2\.0-flash$/,
    right: 'there',
    why: 'Vertex asked 0.15 and 0.60 USD (cloud.google.com/gemini-enterprise-agent-platform/generative-ai/pricing), half more than the Gemini API; the list has one provider for both. Google switched the model off on 1 June 2026.',
  },
  {
    list: LITELLM,
    models: /^mistral .*open-mistral-nemo/,
    right: 'here',
    why: 'Mistral lowered it to 0.15 USD in 2024; litellm has the 0.30 of before.',
  },
  {
    list: LITELLM,
    models: /^moonshot /,
    right: 'here',
    why: 'Kimi has three prices for K3 (platform.kimi.ai/docs/pricing/chat-k3): input, output, and what is read from the cache. Nothing is asked for writing, so the tokens written cost what input does.',
  },
  {
    list: LITELLM,
    models: /^xai .*grok-code-fast/,
    right: 'here',
    why: 'xAI retired the model on 15 May 2026 (docs.x.ai/developers/migration/may-15-retirement): calls of before cost this. litellm has the price of a later model.',
  },
  { list: LITELLM, models: /^groq .*safeguard/, right: 'here', why: 'Rounded in the list.' },
  {
    list: GENAI,
    models:
      /^(openrouter|avian|doubleword|github-copilot|huggingface_together|novita|quicksilverpro|zhipuai) /,
    right: 'there',
    why: 'Hosts and gateways change prices often, and the edition on PyPI is newer than that on npm; an installation that fetches its list has it already.',
  },
  {
    list: GENAI,
    models: /^perplexity /,
    right: 'here',
    why: 'The list has the fee of the largest search context where a call says none, Perplexity that of the smallest; or none at all.',
  },
  {
    list: GENAI,
    models: /^together .*Mixtral-8x7B/,
    right: 'here',
    why: 'Together’s price is 0.60 USD for tokens in and out, which litellm and aicost have, too.',
  },
];
