/** All models of another list, each asked for one plain call: how far the lists agree beyond the known cases. */
import type { Call } from '#test/price-cases.ts';
import { type Compared, compare } from './compare.ts';
import type { ForeignList } from './lists.ts';

/** A thousand tokens in and, where the list says what they cost, five hundred out. */
function plainCall({ rates }: ForeignList, anbieter: string, modell: string): Call | null {
  const known = rates(anbieter, modell);
  if (!known?.input && !known?.output) return null;
  const tokens = { eingabe: known.input ? 1_000 : null, ausgabe: known.output ? 500 : null };
  return { anbieter, modell, tokens };
}

/** Per provider what became of the models that the list bills by tokens. */
export function breadthOf(list: ForeignList): Map<string, Compared[]> {
  const all = list.models().flatMap(({ provider, modell }) => {
    const call = plainCall(list, provider, modell);
    return call ? [compare(call, [list])] : [];
  });
  return Map.groupBy(all, ({ call }) => call.anbieter ?? '');
}
