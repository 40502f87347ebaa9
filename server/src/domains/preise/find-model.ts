/** Finds what a model costs: under the names people give providers and models, in the supplement and in the list. */
import { readFileSync } from 'node:fs';
import { calcPrice, findProvider } from '@pydantic/genai-prices';
import type { ListPrices } from './rates.ts';
import { addedTo, isCorrectedLater, supplementedModel, supplementedProviders } from './supplement/load.ts';
import type { PriceVariant } from './supplement/schema.ts';

const LIST_FILE = import.meta.resolve('@pydantic/genai-prices');
const LIST = `genai-prices ${(JSON.parse(readFileSync(new URL('../package.json', LIST_FILE), 'utf8')) as { version: string }).version}`;
const OWN = 'zaehlwerk';

export interface FoundModel {
  provider: string;
  id: string;
  prices: ListPrices;
  /** Rates that hold where `prices` has none of that key. */
  added: ListPrices;
  variants: readonly PriceVariant[];
  origin: 'ergaenzung' | 'liste';
  /** Price list, version and entry, e.g. `genai-prices 0.1.8 openai/gpt-4o-mini`. */
  source: string;
  /** What stands behind the source where a variant applies. */
  variantSource: string;
  /** Whether another instant may have other prices. */
  timed: boolean;
}

/** Names of providers that the list does not understand. */
const ALIASES = new Map(
  Object.entries({
    x_ai: 'x-ai',
    'x.ai': 'x-ai',
    grok: 'x-ai',
    'together.ai': 'together',
    fireworks_ai: 'fireworks',
    'fireworks-ai': 'fireworks',
    perplexity_ai: 'perplexity',
    'perplexity-ai': 'perplexity',
    deepseek_ai: 'deepseek',
    'deepseek-ai': 'deepseek',
    groqcloud: 'groq',
    'z.ai': 'zai',
    'z-ai': 'zai',
  }),
);

/** Every provider that the list or the supplement knows under this name; null where it may be anybody's own server. */
function providerOf(name: string, modell: string): string | null {
  const known = ALIASES.get(name.toLowerCase().trim()) ?? name;
  const found = findProvider({ providerId: known, modelId: modell });
  if (found) return found.id;
  if (supplementedProviders().includes(known.toLowerCase())) return known.toLowerCase();
  // The host of a provider instead of its name.
  return /^[\w-]+(\.[\w-]+)+$/.test(known)
    ? (findProvider({ providerApiUrl: `https://${known}/` })?.id ?? null)
    : null;
}

/** As Amazon names models of others, with or without a region. */
const BEDROCK =
  /^(?:[a-z]{2,6}(?:-gov)?\.)?(?:anthropic|amazon|meta|mistral|cohere|ai21|deepseek|openai|qwen)\.[a-z]/;
/** What stands before a model's own name: folders, accounts, names of resources. */
const FOLDERS = /^(?:models|publishers\/[^/]+\/models|projects\/.*\/models|arn:aws[^/]*)\//;
const DATE = /[-@:](?:20\d{6}|20\d\d-\d\d-\d\d)$/;

type Candidate = [provider: string | null, modell: string];

/** Where a model may be found, the most literal first. */
function* candidatesOf(anbieter: string | null, modell: string): Generator<Candidate> {
  const provider = anbieter === null ? null : providerOf(anbieter, modell);
  // A provider that is named but not listed may be anybody's own server: its prices are unknown, whatever the model.
  if (anbieter !== null && provider === null) return;
  yield [provider, modell];
  const own = modell.replace(FOLDERS, '');
  if (own !== modell) yield [provider, own];
  const slash = own.indexOf('/');
  if (slash > 0) {
    const rest = own.slice(slash + 1);
    const prefix = providerOf(own.slice(0, slash), rest);
    if (prefix !== null && (provider === null || provider === prefix)) yield [prefix, rest];
  }
  if (provider === null && BEDROCK.test(own)) yield ['aws', own];
}

/** With what the supplement adds; `source` names it where rates of its own were added. */
function extended(provider: string, id: string, source: string) {
  const { prices: added, variants, read } = addedTo(provider, id) ?? { prices: {}, variants: [], read: '' };
  const also = ` + ${OWN} ${read}`;
  const hasRates = Object.keys(added).length > 0;
  return {
    provider,
    id,
    added,
    variants,
    source: hasRates ? source + also : source,
    variantSource: hasRates ? '' : also,
  };
}

function inSupplement(provider: string | null, modell: string, at: Date): FoundModel | null {
  const owner = provider ?? findProvider({ modelId: modell })?.id;
  const found = owner === undefined ? null : supplementedModel(owner, modell, at);
  if (owner === undefined || !found) return null;
  return {
    ...extended(owner, found.id, `${OWN} ${found.read} ${owner}/${found.id}`),
    origin: 'ergaenzung',
    prices: found.prices,
    timed: found.timed,
  };
}

function inList(provider: string | null, modell: string, at: Date): FoundModel | null {
  const options = { timestamp: at, ...(provider === null ? {} : { providerId: provider }) };
  const found = calcPrice({}, modell, options);
  if (!found) return null;
  return {
    ...extended(found.provider.id, found.model.id, `${LIST} ${found.provider.id}/${found.model.id}`),
    origin: 'liste',
    prices: found.model_price as ListPrices,
    timed: Array.isArray(found.model.prices) || isCorrectedLater(found.provider.id, modell),
  };
}

/** The model and its prices at an instant; null when they are unknown. */
export function findModel(anbieter: string | null, modell: string, at: Date): FoundModel | null {
  let last: Candidate | null = null;
  for (const [provider, name] of candidatesOf(anbieter, modell)) {
    const found = inSupplement(provider, name, at) ?? inList(provider, name, at);
    if (found) return found;
    last = [provider, name];
  }
  // Each look goes through all models of a provider, so a date is left out of the plainest form only.
  if (!last || !DATE.test(last[1])) return null;
  const [provider, name] = [last[0], last[1].replace(DATE, '')];
  return inSupplement(provider, name, at) ?? inList(provider, name, at);
}
