/** What told of a call: the way it came, and the library with its version where the free data name one. */
import { shorten } from './shorten.ts';

export interface Herkunft {
  quelle: string;
  /** '' where nothing is said, as the version. */
  bibliothek: string;
  version: string;
  /** All three, as they are remembered: one line. */
  name: string;
}

/** Of all Mandanten together; senders may invent names. */
const MOST_KNOWN = 10_000;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken away
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** A text that a column can hold. */
const textOf = (value: unknown): string =>
  typeof value === 'string' ? shorten(value.replace(CONTROL, '').toWellFormed()) : '';

export const nameOfHerkunft = ({ quelle, bibliothek, version }: Omit<Herkunft, 'name'>): string =>
  JSON.stringify([quelle, bibliothek, version]);

/** The way that a name says. */
export const wayIn = (name: string): string => (JSON.parse(name) as [string])[0];

const named = (herkunft: Omit<Herkunft, 'name'>): Herkunft => ({
  ...herkunft,
  name: nameOfHerkunft(herkunft),
});

/** What stands for all for which there is no room. */
export const OTHERS = named({ quelle: '', bibliothek: '', version: '' });

const known = new Map<string, Herkunft>();

/** What free data say of the library. */
export type Library = Pick<Herkunft, 'bibliothek' | 'version'>;

export const NO_LIBRARY: Library = { bibliothek: '', version: '' };

export const libraryOf = (free: Record<string, unknown> | null): Library =>
  free?.bibliothek === undefined
    ? NO_LIBRARY
    : { bibliothek: textOf(free.bibliothek), version: textOf(free.bibliothek_version) };

/** The same object for the same names, as long as they are few. */
export function herkunftOf(quelle: string, library: Library): Herkunft {
  const herkunft = named({ quelle: textOf(quelle), ...library });
  const found = known.get(herkunft.name);
  if (found) return found;
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(herkunft.name, herkunft);
  return herkunft;
}

/** Whether a subscription pays for the call: it has a price of the list, which nobody is charged. */
export const isOfSubscription = (free: Record<string, unknown> | null): boolean => free?.abonnement === true;
