/** Why the service and another list say different things of a model: one sentence each, and who is right. */
import type { Call } from '#test/price-cases.ts';

export interface Reason {
  /** Name of the other list; null for whichever says something else. */
  list: string | null;
  /** `provider/model`, or several of them. */
  models: RegExp;
  /** Only calls before this instant. */
  before?: string;
  /** Only calls whose output the provider did not count. */
  withoutOutput?: true;
  right: 'here' | 'there' | 'open';
  why: string;
}

const AICOST = 'aicost';
const CALCULATOR = 'ai-sdk-cost-calculator';

export const REASONS: readonly Reason[] = [
  {
    list: CALCULATOR,
    models: /^openai\/gpt-5\.5-pro$/,
    right: 'here',
    why: 'With tools of the provider the input is the sum of several prompts: the lower price is certain, and the call is marked; the list takes it for one prompt.',
  },
  {
    list: null,
    models: /^mistral\/magistral-medium-latest$/,
    right: 'here',
    why: 'The last model of this name was retired on 31 July 2026, and Mistral names Medium 3.5 in its place (github.com/mistralai/platform-docs-public/pull/496), whose price litellm has for it; both lists still have the retired model.',
  },
  {
    list: null,
    models: /^together\/meta-llama\/Llama-3\.3-70B-Instruct-Turbo$/,
    right: 'here',
    why: 'Together’s page and its interface had 1.04 USD from July 2026 on (github.com/anomalyco/models.dev/pull/2989; litellm); the lists have the 0.88 of before.',
  },
  {
    list: null,
    models: /^mistral\/magistral-small-latest$/,
    right: 'here',
    why: 'Since August 2026 at the latest Small 4 answers under the name (docs.mistral.ai/models/mistral-small-4-0-26-03), as litellm and models.dev have it; both lists still have the retired model.',
  },
  {
    list: AICOST,
    models: /^mistral\/mistral-medium$/,
    right: 'here',
    why: 'The name stands for Medium 3.5 (docs.mistral.ai/models/mistral-medium-3-5-26-04); the list has the model of 2023.',
  },
  {
    list: AICOST,
    models: /^perplexity\/sonar$/,
    right: 'here',
    why: 'Perplexity takes a fee for every request besides its tokens; the list has rates for tokens only.',
  },
  {
    list: CALCULATOR,
    models: /^groq\/whisper-large-v3/,
    right: 'here',
    why: 'Groq bills at least ten seconds of a transcription; the list has the rate by time only.',
  },
  {
    list: null,
    models: /^deepseek\/deepseek-(chat|reasoner)$/,
    right: 'here',
    why:
      'What the two names cost changed four times (by day and night until 5 September 2025, V3.1, V3.2-Exp, from 24 April 2026 ' +
      'on V4 Flash); DeepSeek’s pages of those days have the rates used here. aicost has a rounded rate of V3.1, ' +
      'the calculator that of the newest model at its dear hours.',
  },
  {
    list: CALCULATOR,
    models: /^deepseek\/deepseek-(v4-pro|v4-flash|flash)$/,
    right: 'here',
    why:
      'The list has the dear hours for all of them and for all days; DeepSeek asks twice as much on workdays only, but on holidays, since ' +
      '17 August 2026. It takes V4 Pro for V4.1 Flash, too, which does not answer under that name.',
  },
  {
    list: null,
    models: /^anthropic\/claude-sonnet-4-5$/,
    right: 'here',
    why:
      'Beyond 200,000 tokens a prompt cost more until the beta of such prompts ended on 30 April 2026; since then what is more adds up ' +
      'several prompts. aicost has no price of long contexts, the calculator has it for all days.',
  },
  {
    list: CALCULATOR,
    models: /^zai\/glm-5\.3-flash$/,
    right: 'here',
    why: 'Until 9 September 2026 it cost half of what it costs since; the list has one price for all days.',
  },
  {
    list: CALCULATOR,
    models: /^together\/deepseek-ai\/DeepSeek-V3$/,
    right: 'here',
    why: 'The calculator has the rates of V3.1 (0.60 and 1.70 USD); litellm, aicost and the catalogue of models.dev have 1.25 for both, as here.',
  },
  {
    list: AICOST,
    models: /^aws\/amazon\.titan-embed-text-v2:0$/,
    right: 'here',
    why: 'Amazon’s price is 0.02 USD for a million tokens; the list has ten times as much.',
  },
  {
    list: AICOST,
    models: /^aws\/amazon\.titan-text-express-v1$/,
    right: 'here',
    why: 'Amazon’s price is 0.20 USD for a million tokens in and 0.60 out; the list has 1.30 and 1.70.',
  },
  {
    list: AICOST,
    models: /^mistral\/mistral-(small|large)-latest$/,
    right: 'here',
    why:
      'The name stands for a newer model since the list was made (Large 3 since December 2025, Small 4 since March 2026); ' +
      'the other list has the rates used here.',
  },
  {
    list: AICOST,
    models: /^aws\/global\.anthropic\.claude-sonnet-4-5/,
    right: 'here',
    why: 'A call with more than 200,000 tokens of input had higher rates then; the list has none by length.',
  },
  {
    list: null,
    models: /^openai\/gpt-4o$/,
    before: '2024-10-02',
    right: 'here',
    why: 'Until 1 October 2024 the name stood for gpt-4o-2024-05-13, at 5 and 15 USD; the list knows one price for all days.',
  },
  {
    list: null,
    models: /^openai\/gpt-3\.5-turbo$/,
    before: '2024-02-16',
    right: 'here',
    why:
      'The name stood for gpt-3.5-turbo-0613 then, at 1.50 and 2 USD, until it became gpt-3.5-turbo-0125; the list knows one ' +
      'price for all days.',
  },
  {
    list: AICOST,
    models: /^cohere\/command-r7b-12-2024$/,
    right: 'here',
    why: 'Cohere’s price is 0.0375 USD for a million tokens in and 0.15 out; the list has the two the wrong way round.',
  },
  {
    list: AICOST,
    models: /^anthropic\/claude-3-5-haiku-latest$/,
    right: 'here',
    why: 'Anthropic lowered the price to 0.80 and 4 USD soon after the start; the list has that only for the name with the date.',
  },
  {
    list: null,
    models: /^ollama\//,
    right: 'open',
    why: 'A model on one’s own machine has no price of a provider: one list says 0, here it is unknown, for machines cost, too.',
  },
  {
    list: null,
    models: /^(unknown\/|aws\/\/opt\/)/,
    right: 'open',
    why: 'A server or an endpoint of one’s own: nobody publishes what it costs.',
  },
  {
    list: null,
    models: /^writer\//,
    right: 'open',
    why: 'None of the lists has Writer’s own interface.',
  },
  {
    list: null,
    models: /^openai\/gpt-5-2025-08-07$/,
    right: 'open',
    why:
      'Made with priority processing before the day from which its price is known: priced here at the usual rates and marked as ' +
      'partial; no other list has the tier.',
  },
  {
    list: null,
    models: /./,
    withoutOutput: true,
    right: 'here',
    why: 'The provider counted no output, as where a guardrail of Bedrock changed it: what is known is priced and marked as partial.',
  },
];

/** The first reason that covers the call; null where there is none. */
export const reasonFor = (list: string, listed: string, { at, tokens }: Call): Reason | null =>
  REASONS.find(
    (each) =>
      (each.list === null || each.list === list) &&
      each.models.test(listed) &&
      (each.before === undefined || (at !== undefined && at < each.before)) &&
      (!each.withoutOutput || (tokens.eingabe !== null && tokens.ausgabe === null)),
  ) ?? null;
