/** The supplement as it is asked: one model at a time. */
import { readdirSync, readFileSync } from 'node:fs';
import { calcPrice, type Provider } from '@pydantic/genai-prices';
import type { ListPrices } from '../rates.ts';
import { priceAt } from './price-at.ts';
import {
  type AlikeKind,
  type PriceVariant,
  readSupplement,
  type Supplement,
  type SupplementModel,
  type SupplementPrices,
} from './schema.ts';

const FOLDER = new URL('./entries/', import.meta.url);

/** All files, checked; throws at the first that is none. */
export const loadSupplements = (): Supplement[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => readSupplement(readFileSync(new URL(name, FOLDER), 'utf8')));

/** What is added to a model. */
export interface Added {
  prices: ListPrices;
  variants: readonly PriceVariant[];
  /** The latest day on which some of it was read. */
  read: string;
}

export interface SupplementedModel {
  id: string;
  /** The clause by which it was found. */
  match: unknown;
  prices: ListPrices;
  read: string;
  until: string;
  /** What the list said of it when it was written: the id there, and the prices at the instant. */
  corrects: { id: string; prices: ListPrices | null } | null;
  /** Whether another instant may have other prices. */
  timed: boolean;
}

interface Supplemented {
  provider: Provider;
  byId: Map<string, SupplementModel>;
  added: Map<string, Added>;
  alike: { is: RegExp; kinds: readonly AlikeKind[] }[];
  without: { is: RegExp; keys: readonly string[] }[];
}

/** In the form in which the list's library finds models. */
const asProvider = ({ provider, models }: Supplement): Provider => ({
  id: provider,
  name: provider,
  api_pattern: '',
  models: models.map(({ id, match }) => ({ id, match, prices: {} }) as Provider['models'][number]),
});

function addedOf({ additions }: Supplement): Map<string, Added> {
  const added = new Map<string, Added>();
  for (const { models, prices = {}, price_variants = [], read } of additions)
    for (const model of models) {
      const before = added.get(model) ?? { prices: {}, variants: [], read };
      added.set(model, {
        prices: { ...before.prices, ...prices },
        variants: [...before.variants, ...price_variants],
        read: read > before.read ? read : before.read,
      });
    }
  return added;
}

const whole = (models: string) => new RegExp(`^(?:${models})$`);

const supplements = new Map<string, Supplemented>(
  loadSupplements().map((each) => [
    each.provider,
    {
      provider: asProvider(each),
      byId: new Map(each.models.map((model) => [model.id, model])),
      added: addedOf(each),
      alike: (each.alike ?? []).map(({ models, kinds }) => ({ is: whole(models), kinds })),
      without: (each.without ?? []).map(({ models, keys }) => ({ is: whole(models), keys })),
    },
  ]),
);

/** The providers that have something of their own here. */
export const supplementedProviders = (): string[] => [...supplements.keys()];

/** A provider's model as it is corrected or added here; null when the list is asked instead. */
export function supplementedModel(provider: string, modell: string, at: Date): SupplementedModel | null {
  const supplement = supplements.get(provider);
  if (!supplement) return null;
  const found = calcPrice({}, modell, { provider: supplement.provider, timestamp: at });
  const model = found && supplement.byId.get(found.model.id);
  if (!model || (model.from !== undefined && at < new Date(model.from))) return null;
  const prices = priceAt(model.prices, at);
  if (!prices) return null;
  const { corrects } = model;
  return {
    id: model.id,
    match: model.match,
    prices,
    read: model.read,
    until: model.until,
    corrects: corrects && {
      id: corrects.id,
      prices: priceAt(corrects.prices as SupplementPrices, at),
    },
    timed: model.from !== undefined || Array.isArray(model.prices),
  };
}

/** Whether a model has a border in time at which the list gives way. */
export const isCorrectedLater = (provider: string, modell: string): boolean =>
  supplementedModel(provider, modell, new Date(8.64e15))?.timed ?? false;

/** What is added to a model of the list or of here. */
export const addedTo = (provider: string, id: string): Added | null =>
  supplements.get(provider)?.added.get(id) ?? null;

/** The kinds of tokens that a model bills as text, whether it comes from the list or from here. */
export const alikeOf = (provider: string, id: string): AlikeKind[] => [
  ...new Set(supplements.get(provider)?.alike.flatMap(({ is, kinds }) => (is.test(id) ? kinds : []))),
];

/** The ids of the models of a provider that are corrected or added here. */
export const supplementedIds = (provider: string): string[] => [
  ...(supplements.get(provider)?.byId.keys() ?? []),
];

/** The latest day on which sources of the supplement were read. */
export const supplementReadOn: string = loadSupplements()
  .flatMap(({ models, additions, alike = [] }) => [...models, ...additions, ...alike])
  .reduce((latest, { read }) => (read > latest ? read : latest), '');

/** The keys of rates that the list has of a model and that are another provider's. */
export const withoutOf = (provider: string, id: string): string[] =>
  supplements.get(provider)?.without.flatMap(({ is, keys }) => (is.test(id) ? keys : [])) ?? [];
