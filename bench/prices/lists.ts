/**
 * Two price lists that share nothing with the one the service uses, as they are installed. Only their rates are taken: what
 * a call costs by them is worked out here (`foreign-cost.ts`), exactly.
 */
import { readFileSync } from 'node:fs';
import { allPricing, type ModelPricing } from 'ai-sdk-cost-calculator';

/** USD for one unit, as the shortest decimal of what the list says; undefined where it says nothing. */
export interface ForeignRates {
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
  audioIn?: number;
  audioOut?: number;
  imageOut?: number;
  /** How many units the rates above are for. */
  per: 1 | 1_000_000;
  /** For a thousand of them. */
  webSearches?: number;
  codeRuns?: number;
  calls?: number;
  audioMinute?: number;
  /** What a call with more input than `over` costs, in place of the rates above. */
  long?: { over: number; input: number; output: number; cacheRead?: number; cacheWrite?: number };
}

interface Named {
  provider: string;
  modell: string;
}

export interface ForeignList {
  name: string;
  version: string;
  /** Of when its rates are, as far as it tells; judged anew for every version. */
  asOf: string;
  /** How many models it has rates of. */
  entries: number;
  /** What it has rates of, under the providers' names in the service's own list. */
  models(): Named[];
  /** Null where the list does not know the model. The provider is named as the service's own list names it. */
  rates(provider: string, modell: string): ForeignRates | null;
}

const versionOf = (entry: string): string =>
  (JSON.parse(readFileSync(new URL('../package.json', entry), 'utf8')) as { version: string }).version;

const AS_OF: Record<string, string> = {
  'aicost@1.2.1': 'November 2025: its newest models are of that month',
  'ai-sdk-cost-calculator@7.1.14': '22 September 2026: the day its entries were checked, as they say',
};

const edition = (name: string) => {
  const version = versionOf(import.meta.resolve(name));
  return { name, version, asOf: AS_OF[`${name}@${version}`] ?? 'not looked at yet' };
};

const DATE = /[-@:](?:20\d{6}|20\d\d-\d\d-\d\d)$/;

/** The name, then the same without a date, and for a model tuned by oneself what it was made from. */
function namesOf(modell: string): string[] {
  const own = /^(ft:[^:]+):/.exec(modell)?.[1] ?? modell;
  return DATE.test(own) ? [own, own.replace(DATE, '')] : [own];
}

// ── aicost: what LiteLLM knows, with rates for input and output ──────────────────────────────────────────────

interface AicostModel {
  name: string;
  inputCost: number | null;
  inputCostUnit: string | null;
  outputCost: number | null;
  outputCostUnit: string | null;
}

/** Where it has the providers, and what it may write before their models. */
const AICOST: Record<string, { groups: string[]; prefixes?: string[] }> = {
  openai: { groups: ['openai', 'text-completion-openai'] },
  anthropic: { groups: ['anthropic'] },
  aws: { groups: ['bedrock', 'bedrock_converse'] },
  azure: { groups: ['azure', 'azure_ai', 'azure_text'], prefixes: ['azure/', 'azure_ai/'] },
  google: { groups: ['vertex-ai', 'gemini'], prefixes: ['gemini/'] },
  mistral: { groups: ['mistral'], prefixes: ['mistral/'] },
  cohere: { groups: ['cohere', 'cohere_chat'] },
  groq: { groups: ['groq'], prefixes: ['groq/'] },
  deepseek: { groups: ['deepseek'], prefixes: ['deepseek/'] },
  together: { groups: ['together_ai'], prefixes: ['together_ai/'] },
  perplexity: { groups: ['perplexity'], prefixes: ['perplexity/'] },
  'x-ai': { groups: ['xai'], prefixes: ['xai/'] },
  openrouter: { groups: ['openrouter'], prefixes: ['openrouter/'] },
  voyageai: { groups: ['voyage'], prefixes: ['voyage/'] },
  ollama: { groups: ['ollama'], prefixes: ['ollama/'] },
};

/** Its own functions fetch what is newest; what is installed stands in its file, as an object that is JSON. */
function installedAicost(entry: string): AicostModels {
  const text = readFileSync(new URL(entry), 'utf8');
  const start = text.indexOf('{', text.indexOf('const AICostModelList = '));
  return JSON.parse(text.slice(start, text.indexOf('\n};', start) + 2));
}

/** Its unit is null where a rate is 0, and where it knows none. */
const aicostRate = (cost: number | null, unit: string | null) =>
  unit === 'token' || cost === 0 ? (cost ?? undefined) : undefined;

type AicostModels = Record<string, AicostModel[]>;

function findAicost(models: AicostModels, provider: string, modell: string): AicostModel | undefined {
  const { groups, prefixes = [] } = AICOST[provider] ?? { groups: [] };
  const listed = groups.flatMap((group) => models[group] ?? []);
  const names = namesOf(modell).flatMap((name) => [name, ...prefixes.map((prefix) => prefix + name)]);
  const found = names.find((name) => listed.some((each) => each.name === name));
  return listed.find((each) => each.name === found);
}

/** Without `eu/gpt-4o` and `bedrock/eu-west-1/…`: addresses of regions as only LiteLLM writes them. */
const namedInAicost = (models: AicostModels): Named[] =>
  Object.entries(AICOST).flatMap(([provider, { groups, prefixes = [] }]) =>
    groups
      .flatMap((group) => models[group] ?? [])
      .map(({ name }) => {
        const prefix = prefixes.find((each) => name.startsWith(each)) ?? '';
        return { provider, modell: name.slice(prefix.length) };
      })
      .filter(({ modell }) => !['aws', 'azure'].includes(provider) || !modell.includes('/')),
  );

function readAicost(): ForeignList {
  const models = installedAicost(import.meta.resolve('aicost'));
  return {
    ...edition('aicost'),
    entries: Object.values(models).flat().length,
    models: () => namedInAicost(models),
    rates(provider, modell) {
      const model = findAicost(models, provider, modell);
      if (!model) return null;
      const input = aicostRate(model.inputCost, model.inputCostUnit);
      const output = aicostRate(model.outputCost, model.outputCostUnit);
      return { per: 1, ...(input !== undefined && { input }), ...(output !== undefined && { output }) };
    },
  };
}

// ── ai-sdk-cost-calculator: kept by hand from the providers' pages ──────────────────────────────────────────

/** What it names otherwise than the service's own list. */
const CALCULATOR: Record<string, string> = { 'x-ai': 'xai', zai: 'z-ai' };
/** Second names of the same models. */
const AGAIN = new Set(['togetherai', 'glm', 'zhipu', 'dashscope', 'alibaba', 'moonshot']);
const ownName = (theirs: string) =>
  Object.keys(CALCULATOR).find((own) => CALCULATOR[own] === theirs) ?? theirs;

const defined = <Rates extends object>(rates: Rates) =>
  Object.fromEntries(Object.entries(rates).filter(([, rate]) => rate !== undefined));

function longOf(model: ModelPricing): ForeignRates['long'] {
  const { longContextThreshold: over } = model;
  if (over === undefined) return undefined;
  return {
    over: model.longContextThresholdInclusive ? over - 1 : over,
    input: model.longContextInputPer1MTokens ?? model.inputPer1MTokens,
    output: model.longContextOutputPer1MTokens ?? model.outputPer1MTokens,
    ...defined({
      cacheRead: model.longContextCacheReadPer1MTokens,
      cacheWrite: model.longContextCacheWritePer1MTokens,
    }),
  };
}

/** Perplexity searches for every request, which the list has as searches; only deep research counts them. */
const feeOf = (provider: string, name: string, model: ModelPricing) =>
  provider === 'perplexity' && !name.includes('deep-research') ? model.webSearchPer1kRequests : undefined;

/** Models that are billed by something else have rates of 0 for tokens. */
const calculatorRates = (model: ModelPricing, calls: number | undefined): ForeignRates => ({
  per: 1_000_000,
  ...defined({
    input: model.inputPer1MTokens,
    output: model.outputPer1MTokens,
    cacheRead: model.cacheReadPer1MTokens,
    cacheWrite: model.cacheWritePer1MTokens,
    reasoning: model.reasoningPer1MTokens,
    audioIn: model.audioInputPer1MTokens,
    audioOut: model.audioOutputPer1MTokens,
    imageOut: model.imageOutputPer1MTokens,
    webSearches: model.webSearchPer1kRequests,
    codeRuns: model.codeExecutionPer1kRequests,
    calls,
    audioMinute: model.transcriptionPerMinute,
    long: longOf(model),
  }),
});

function readCalculator(): ForeignList {
  return {
    ...edition('ai-sdk-cost-calculator'),
    entries: new Set(Object.values(allPricing).flatMap((models) => Object.values(models))).size,
    models: () =>
      Object.entries(allPricing)
        .filter(([provider]) => !AGAIN.has(provider))
        .flatMap(([provider, models]) =>
          Object.keys(models).map((modell) => ({ provider: ownName(provider), modell })),
        ),
    rates(provider, modell) {
      const models = allPricing[CALCULATOR[provider] ?? provider];
      for (const name of namesOf(modell)) {
        const model = models?.[name];
        if (model) return calculatorRates(model, feeOf(provider, name, model));
      }
      return null;
    },
  };
}

/** Both lists, in the order of the columns. */
export const readLists = (): ForeignList[] => [readAicost(), readCalculator()];
