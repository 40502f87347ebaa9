/** A saved view as an address of the cockpit, and an address as a view. */
import type { Ansicht } from '../../api/types.ts';

/** What a view shows, whatever it is called. */
export type Shown = Pick<Ansicht, 'pfad' | 'suche'>;

/** The address of a view, without host. */
export const addressOf = ({ pfad, suche }: Shown): string => (suche === '' ? pfad : `${pfad}?${suche}`);

/** What an address shows. What of it was not understood is no part of it. */
export function shownAt({ pathname, searchStr }: { pathname: string; searchStr: string }): Shown {
  const query = new URLSearchParams(searchStr);
  query.delete('unlesbar');
  return { pfad: pathname.replace(/(?<=.)\/+$/, ''), suche: query.toString() };
}

const sorted = (suche: string) => [...new URLSearchParams(suche)].map((pair) => JSON.stringify(pair)).sort();

/** Whether two addresses show the same, in whatever order they say it. */
export const isSame = (one: Shown, other: Shown): boolean =>
  one.pfad === other.pfad && String(sorted(one.suche)) === String(sorted(other.suche));

type Place = 'overview' | 'agents' | 'breakdown' | 'runs';

const places = new Map<string, Place>([
  ['', 'overview'],
  ['agenten', 'agents'],
  ['aufschluesselung', 'breakdown'],
  ['laeufe', 'runs'],
]);

/** The name of the place a view is of, in the texts of the navigation; undefined for any other page. */
export const placeOf = ({ pfad }: Shown) => places.get(pfad.split('/')[1] ?? '');
