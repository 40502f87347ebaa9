/**
 * Editions of the price list as values, so that several stand beside each other. The library keeps its own list in the state of
 * its module, which stays that of the package; of others it is only asked which clause matches, and which price holds when.
 */
import { readFileSync } from 'node:fs';
import {
  calcPrice,
  findProvider,
  type ModelInfo,
  type Provider,
  waitForUpdate,
} from '@pydantic/genai-prices';
import type { ListPrices } from '../rates.ts';

/** A model as the list has it at an instant. */
interface Listed {
  provider: string;
  id: string;
  prices: ListPrices;
  /** The clause by which it was found. */
  match: unknown;
  /** Whether another instant may have other prices. */
  timed: boolean;
}

/** One edition of the price list. */
export interface PriceData {
  /** As `preis_quelle` names it, e.g. `genai-prices 0.1.8`. */
  readonly name: string;
  /** The day it is of, `YYYY-MM-DD`. */
  readonly stand: string;
  /** Id of the provider that goes by this name; null when nobody known does. */
  providerOf(name: string, modell: string): string | null;
  /** Id of the provider that answers at this address. */
  providerAt(url: string): string | null;
  /** Id of the provider whose models go by this name when nobody is named. */
  makerOf(modell: string): string | null;
  /** A model of a provider, or of its maker; null when it is not listed. */
  find(provider: string | null, modell: string, at: Date): Listed | null;
  /** The ids of the models that a provider has. */
  idsOf(provider: string): readonly string[];
}

/** Who passes models of others on, and names whose before them. */
const GATEWAY = 'litellm';

type Clause = ModelInfo['match'];

const asProvider = (id: string, models: ModelInfo[]): Provider => ({ id, name: id, api_pattern: '', models });

/** The library finds models by their clauses; providers are put to it as if they were some. */
function createNames(providers: readonly Provider[], clauseOf: (provider: Provider) => Clause | undefined) {
  const models = providers.flatMap((provider) => {
    const match = clauseOf(provider);
    return match ? [{ id: provider.id, match, prices: {} }] : [];
  });
  const all = asProvider('', models);
  return (name: string): string | null => calcPrice({}, name, { provider: all })?.model.id ?? null;
}

/** A provider with the models of those it falls back to behind its own: so they are looked through. */
function modelsOf(provider: Provider, byId: ReadonlyMap<string, Provider>): ModelInfo[] {
  const others = provider.fallback_model_providers ?? [];
  return [...provider.models, ...others.flatMap((id) => byId.get(id)?.models ?? [])];
}

/** Makes an edition of the list's own data, which are not changed any more. */
export function createPriceData(name: string, stand: string, providers: readonly Provider[]): PriceData {
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  const named = createNames(providers, (provider) => provider.provider_match);
  const makerOf = createNames(providers, (provider) => provider.model_match);
  const hosts = providers.map(({ id, api_pattern }) => ({ id, is: new RegExp(`^(?:${api_pattern})`) }));
  // Empty prices stand in for the real ones: the library would add up what they come to, and speak of units it does not know.
  const real = new WeakMap<object, ListPrices>();
  const standIn = (prices: object) => {
    const empty = {};
    real.set(empty, prices as ListPrices);
    return empty;
  };
  const withStandIns = (model: ModelInfo): ModelInfo => ({
    id: model.id,
    match: model.match,
    prices: Array.isArray(model.prices)
      ? model.prices.map(({ prices, ...when }) => ({ ...when, prices: standIn(prices) }))
      : standIn(model.prices),
  });
  const searched = new Map<string, Provider>();
  const search = (provider: Provider): Provider => {
    const before = searched.get(provider.id);
    if (before) return before;
    const made = asProvider(provider.id, modelsOf(provider, byId).map(withStandIns));
    searched.set(provider.id, made);
    return made;
  };
  return {
    name,
    stand,
    providerOf(text, modell) {
      const id = text.toLowerCase().trim();
      if (byId.has(id)) return id;
      return named(text) ?? (id === GATEWAY ? makerOf(modell) : null);
    },
    providerAt: (url) => hosts.find(({ is }) => is.test(url))?.id ?? null,
    makerOf,
    find(provider, modell, at) {
      const owner = byId.get(provider ?? makerOf(modell) ?? '');
      const found = owner && calcPrice({}, modell, { provider: search(owner), timestamp: at });
      const prices = found && real.get(found.model_price);
      if (!owner || !found || !prices) return null;
      const { id, match, prices: all } = found.model;
      return { provider: owner.id, id, match, prices, timed: Array.isArray(all) };
    },
    idsOf: (provider) => byId.get(provider)?.models.map(({ id }) => id) ?? [],
  };
}

/** The version of the lock file and the day it was published; an installation of a later one has a list at least as new. */
export const LOCKED = { version: '0.1.8', published: '2026-09-23' };

const PACKAGE = new URL('../package.json', import.meta.resolve('@pydantic/genai-prices'));
const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string };

/** What stands in the list that comes with the package. */
export const readPackaged = async (): Promise<readonly Provider[]> => (await waitForUpdate()) ?? [];

/** The edition that comes with the package: the library's own, which nobody replaces. */
export const PACKAGED: PriceData = {
  name: `genai-prices ${version}`,
  stand: LOCKED.published,
  providerOf: (name, modell) =>
    name === '' ? null : (findProvider({ providerId: name, modelId: modell })?.id ?? null),
  providerAt: (url) => findProvider({ providerApiUrl: url })?.id ?? null,
  makerOf: (modell) => findProvider({ modelId: modell })?.id ?? null,
  find(provider, modell, at) {
    const found = calcPrice({}, modell, {
      timestamp: at,
      ...(provider !== null && { providerId: provider }),
    });
    if (!found) return null;
    const { model, model_price } = found;
    const prices = model_price as ListPrices;
    return {
      provider: found.provider.id,
      id: model.id,
      match: model.match,
      prices,
      timed: Array.isArray(model.prices),
    };
  },
  idsOf: (provider) => findProvider({ providerId: provider })?.models.map(({ id }) => id) ?? [],
};
