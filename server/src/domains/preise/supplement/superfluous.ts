/** What of the supplement a list has right by now, so that it can go. */
import { isDeepStrictEqual } from 'node:util';
import type { Provider } from '@pydantic/genai-prices';
import type { Supplement } from './schema.ts';

type ListModel = Provider['models'][number] & { price_variants?: unknown };

const listedIn =
  (list: readonly Provider[], provider: string) =>
  (id: string): ListModel | undefined =>
    list.find((each) => each.id === provider)?.models.find((model) => model.id === id);

/** Rates that a model of the list has at all times. */
const keysOf = ({ prices }: ListModel): Set<string> => {
  const all = Array.isArray(prices) ? prices.map((each) => Object.keys(each.prices)) : [Object.keys(prices)];
  return new Set(all[0]?.filter((key) => all.every((keys) => keys.includes(key))));
};

/** Entries of a supplement that say nothing the list does not, each as a sentence. */
export function superfluousIn(
  { provider, models, additions }: Supplement,
  list: readonly Provider[],
): string[] {
  const listed = listedIn(list, provider);
  const same = models
    .filter(({ id, prices }) => isDeepStrictEqual(listed(id)?.prices, prices))
    .map(({ id }) => `${provider}/${id}: the list has the same prices`);
  const had = additions.flatMap(({ models: ids, prices = {}, price_variants = [] }) =>
    ids.flatMap((id) => {
      const model = listed(id);
      if (!model) return [];
      const keys = Object.keys(prices).filter((key) => keysOf(model).has(key));
      return [
        ...keys.map((key) => `${provider}/${id}: the list has ${key}`),
        ...(model.price_variants && price_variants.length > 0
          ? [`${provider}/${id}: the list has tiers of its own`]
          : []),
      ];
    }),
  );
  return [...same, ...had];
}
