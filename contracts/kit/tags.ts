/** How readers of the document find their way: what programs do first, then everything of the cockpit, noun by noun. */
import type { Operation } from './operation.ts';

interface Tag {
  name: string;
  description: string;
}

const SENDING = {
  name: 'Senden · Sending',
  description:
    'Aufrufe melden, Eingriffe befolgen, mit einem API-Schlüssel. Reporting calls and obeying interventions, with an API key.',
};
const READING = {
  name: 'Lesen · Reading',
  description: 'Was Aufrufe kosten, mit einem API-Schlüssel. What calls cost, with an API key.',
};
const SERVICE = {
  name: 'Dienst · Service',
  description: 'Wie es dem Dienst geht, für alle. How the service is, for everybody.',
};
const FIRST: readonly Tag[] = [SENDING, READING, SERVICE];

/** Operations that their group begins with. */
const LEADING = [
  'ereignisse.',
  'eingriffe.',
  'reservierungen.',
  'verbrauch.api',
  'verbrauch.',
  'laeufe.',
  'system.status',
];

function tagOf({ access, id }: Operation): Tag {
  if (access.kind === 'key' && access.scope === 'Lesen') return READING;
  if (access.kind === 'key' || access.kind === 'any-key') return SENDING;
  if (access.kind === 'public' && id.startsWith('system.')) return SERVICE;
  const name = id.split('.')[0] ?? id;
  return {
    name,
    description: 'Cockpit und Betrieb, mit einer Sitzung. Cockpit and operation, with a session.',
  };
}

export const tagNameOf = (operation: Operation): string => tagOf(operation).name;

const placeIn = (list: readonly string[], found: (each: string) => boolean): number => {
  const place = list.findIndex(found);
  return place < 0 ? list.length : place;
};

/** The operations in the order in which they want to be read. */
export function inReadingOrder(operations: readonly Operation[]): Operation[] {
  const names = FIRST.map(({ name }) => name);
  const placesOf = (operation: Operation) => [
    placeIn(names, (name) => name === tagNameOf(operation)),
    placeIn(LEADING, (prefix) => operation.id.startsWith(prefix)),
  ];
  const sorted = operations.map((operation) => ({ operation, places: placesOf(operation) }));
  return sorted
    .toSorted(
      ({ places: [a = 0, b = 0] }, { places: [c = 0, d = 0] }) => a - c || (a < names.length ? b - d : 0),
    )
    .map(({ operation }) => operation);
}

/** The tags of these operations, in the order of their first ones. */
export const tagsOf = (operations: readonly Operation[]): Tag[] => [
  ...new Map(operations.map((operation) => [tagNameOf(operation), tagOf(operation)])).values(),
];
