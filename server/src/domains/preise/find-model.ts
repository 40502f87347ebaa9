/** Finds what a model costs: under the names people give providers and models, in the supplement and in the list. */
import { isDeepStrictEqual } from 'node:util';
import { PACKAGED, type PriceData } from './list/price-data.ts';
import { datedNames, isSibling, unboundName, unregardedRegion, withoutFolders } from './names.ts';
import type { ListPrices } from './rates.ts';
import {
  addedTo,
  alikeOf,
  isCorrectedLater,
  type SupplementedModel,
  supplementedIds,
  supplementedModel,
  supplementedProviders,
  withoutOf,
} from './supplement/load.ts';
import type { AlikeKind, PriceVariant } from './supplement/schema.ts';

const OWN = 'zaehlwerk';

export interface FoundModel {
  provider: string;
  id: string;
  prices: ListPrices;
  /** Rates that hold where `prices` has none of that key. */
  added: ListPrices;
  variants: readonly PriceVariant[];
  /** Kinds of tokens that cost what text does. */
  alike: readonly AlikeKind[];
  /** Keys of rates that the prices have and that are not theirs. */
  without: readonly string[];
  /** A region that the model's name states and the prices do not regard; null for none. */
  region: string | null;
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
function providerOf(list: PriceData, name: string, modell: string): string | null {
  const known = ALIASES.get(name.toLowerCase().trim()) ?? name;
  const found = list.providerOf(known, modell);
  if (found !== null) return found;
  if (supplementedProviders().includes(known.toLowerCase())) return known.toLowerCase();
  // The host of a provider instead of its name.
  return /^[\w-]+(\.[\w-]+)+$/.test(known) ? list.providerAt(`https://${known}/`) : null;
}

/** As Amazon names models of others, with or without a region. */
const BEDROCK =
  /^(?:[a-z]{2,6}(?:-gov)?\.)?(?:anthropic|amazon|meta|mistral|cohere|ai21|deepseek|openai|qwen)\.[a-z]/;
/** What stands before a model's own name: folders, accounts, names of resources. */
const FOLDERS = /^(?:models|publishers\/[^/]+\/models|projects\/.*\/models|arn:aws[^/]*)\//;
const DATE = /[-@:](?:20\d{6}|20\d\d-\d\d-\d\d)$/;

type Candidate = [provider: string | null, modell: string];

/** Where a model may be found, the most literal first. */
function* candidatesOf(list: PriceData, anbieter: string | null, modell: string): Generator<Candidate> {
  const provider = anbieter === null ? null : providerOf(list, anbieter, modell);
  // A provider that is named but not listed may be anybody's own server: its prices are unknown, whatever the model.
  if (anbieter !== null && provider === null) return;
  const unbound = unboundName(provider, modell);
  if (unbound !== null) yield [provider, unbound];
  yield [provider, modell];
  const own = modell.replace(FOLDERS, '');
  if (own !== modell) yield [provider, own];
  // Regions and the like stand before it.
  const folderless = withoutFolders(provider, own);
  if (folderless !== null) {
    const free = unboundName(provider, folderless);
    if (free !== null) yield [provider, free];
    yield [provider, folderless];
  }
  const slash = own.indexOf('/');
  if (slash > 0) {
    const rest = own.slice(slash + 1);
    const prefix = providerOf(list, own.slice(0, slash), rest);
    if (prefix !== null && (provider === null || provider === prefix)) yield [prefix, rest];
  }
  if (provider === null && BEDROCK.test(own)) yield ['aws', own];
}

/** An undated name as it is listed with its date; of a name that nobody's provider stands beside only where Amazon's form shows it. */
function* datedCandidates(list: PriceData, [provider, modell]: Candidate): Generator<Candidate> {
  if (provider === null) return;
  const ids = [...supplementedIds(provider), ...list.idsOf(provider)];
  for (const name of datedNames(ids, modell)) yield [provider, name];
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
    alike: alikeOf(provider, id),
    without: withoutOf(provider, id),
    region: null,
    source: hasRates ? source + also : source,
    variantSource: hasRates ? '' : also,
  };
}

/**
 * Whether an edition has got this model, or other prices of what was corrected, since the entry was written: then somebody has
 * looked since, and the entry gives way. So it does, whatever the edition says, when nobody has looked at the entry for too long.
 */
function saysOtherwise(
  list: PriceData,
  [provider, modell]: [string, string],
  entry: SupplementedModel,
  at: Date,
): boolean {
  const now = list.find(provider, modell, at);
  if (now === null) return false;
  if (now.id === entry.id && list.stand >= entry.until) return true;
  const { corrects } = entry;
  // Under another name than the entry's own the list may have had another model.
  const before = corrects?.id === now.id ? corrects : PACKAGED.find(provider, modell, at);
  if (now.id !== before?.id) return true;
  const changed = (key: string) => !isDeepStrictEqual(now.prices[key], before.prices?.[key]);
  return now.id === entry.id && Object.keys(entry.prices).some(changed);
}

/** Whether another instant may be answered otherwise because one of the two lists then has another price. */
const isTimedBeside = (list: PriceData, provider: string, modell: string, at: Date): boolean =>
  list !== PACKAGED && [list, PACKAGED].some((each) => each.find(provider, modell, at)?.timed);

/** At Azure people name the models they deploy, mostly after the model and something of their own. */
const isOther = (provider: string, modell: string, found: { id: string; match: unknown }): boolean =>
  provider !== 'azure' && isSibling(modell, found);

function inSupplement(list: PriceData, provider: string | null, modell: string, at: Date): FoundModel | null {
  const owner = provider ?? list.makerOf(modell);
  const found = owner === null ? null : supplementedModel(owner, modell, at);
  if (owner === null || !found || isOther(owner, modell, found)) return null;
  if (list.stand > found.read && saysOtherwise(list, [owner, modell], found, at)) return null;
  return {
    ...extended(owner, found.id, `${OWN} ${found.read} ${owner}/${found.id}`),
    origin: 'ergaenzung',
    prices: found.prices,
    timed: found.timed || isTimedBeside(list, owner, modell, at),
  };
}

function inList(list: PriceData, provider: string | null, modell: string, at: Date): FoundModel | null {
  const found = list.find(provider, modell, at);
  if (!found || isOther(found.provider, modell, found)) return null;
  return {
    ...extended(found.provider, found.id, `${list.name} ${found.provider}/${found.id}`),
    origin: 'liste',
    prices: found.prices,
    timed:
      found.timed ||
      isCorrectedLater(found.provider, modell) ||
      isTimedBeside(list, found.provider, modell, at),
  };
}

/** The model and its prices at an instant, in an edition of the list; null when they are unknown. */
export function findModel(
  anbieter: string | null,
  modell: string,
  at: Date,
  list: PriceData = PACKAGED,
): FoundModel | null {
  const look = (provider: string | null, name: string) =>
    inSupplement(list, provider, name, at) ?? inList(list, provider, name, at);
  const candidates = [...candidatesOf(list, anbieter, modell)];
  const first = (names: Iterable<Candidate>): FoundModel | null => {
    for (const [provider, name] of names) {
      const found = look(provider, name);
      if (found) return { ...found, region: unregardedRegion(found.provider, modell, found.id) };
    }
    return null;
  };
  const last = candidates.at(-1);
  const found = first(candidates) ?? (last ? first(datedCandidates(list, last)) : null);
  // Each look goes through all models of a provider, so a date is left out of the plainest form only.
  if (found || !last || !DATE.test(last[1])) return found;
  return first([[last[0], last[1].replace(DATE, '')]]);
}
