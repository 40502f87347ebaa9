/**
 * The first packed form, which did not describe itself: batches may still wait in it when the service is upgraded. Its
 * layout follows from its columns as that of today's; what differs is how an event says that it has nothing.
 */
import { type AnyValues, type Column, layoutOf } from './format.ts';

export const FORMAT_1 = 1;

const column = (kind: Column['kind'], names: string): Column[] =>
  names.split(' ').map((name) => ({ name, kind }));
const FLAGS = 'geschaetzt';

/** In their order. */
const COLUMNS: readonly Column[] = [
  ...column('instant', 'zeitpunkt'),
  ...column(
    'count',
    'schritt_nr eingabe_token ausgabe_token cache_lese_token cache_schreib_token denk_token',
  ),
  ...column('count', 'werkzeugaufrufe latenz_ms erste_zeichen_ms'),
  // Runs were texts.
  ...column(
    'text',
    'anbieter modell agent lauf_id status fehlercode endkunde_ref funktion_ref benutzer_ref quelle',
  ),
  ...column('object', 'zusatz'),
  ...column('uuid', 'ereignis_id eltern_span'),
  ...column('fingerprint', 'prompt_fingerabdruck werkzeug_fingerabdruck'),
  ...column('flag', FLAGS),
];
export const LAYOUT_1 = layoutOf(COLUMNS, false);

/** Bits of an event's flags: the tokens are estimates; it has a parent, the one fingerprint, the other. */
const ESTIMATED = 1;
const HAS: Record<string, number> = { eltern_span: 2, prompt_fingerabdruck: 4, werkzeug_fingerabdruck: 8 };

const isThere = ({ name, kind }: Column, values: AnyValues, flags: Buffer, index: number): boolean => {
  if (kind === 'count') return !Number.isNaN((values as Float64Array)[index]);
  if (kind === 'text' || kind === 'object') return (values as Uint32Array)[index] !== 0;
  const flag = HAS[name];
  return flag === undefined || ((flags[index] as number) & flag) !== 0;
};

/** The columns with what they have said in today's way: numbers of texts from 0, and for each event the bits of its columns. */
export function fromFormat1(
  values: readonly AnyValues[],
  events: number,
): { values: AnyValues[]; present: Uint32Array } {
  const present = new Uint32Array(events);
  const flags = values[COLUMNS.length - 1] as Buffer;
  for (const [position, column] of COLUMNS.entries())
    for (let index = 0; index < events; index += 1)
      if (isThere(column, values[position] as AnyValues, flags, index))
        present[index] = (present[index] as number) | (1 << position);
  const changed = COLUMNS.map(({ kind, name }, position): AnyValues => {
    const before = values[position] as AnyValues;
    if (kind === 'text' || kind === 'object') return (before as Uint32Array).map((number) => number - 1);
    return name === FLAGS ? Buffer.from(flags.map((flag) => flag & ESTIMATED)) : before;
  });
  return { values: changed, present };
}
