/** The figures behind a finding: which there are, and what kind of figure each is. */

export type Kind =
  | 'money'
  | 'duration'
  | 'instant'
  | 'percent'
  | 'steps'
  | 'runs'
  | 'names'
  | 'number'
  | 'text';

export interface FindingFigure {
  name: string;
  kind: Kind;
  value: unknown;
  /** What a number is counted in, where the finding says so. */
  unit: string | null;
  /** Of a list: there are more than it holds. */
  more: boolean;
}

/** Lists that hold the first of this many. */
const counts: Record<string, string> = { schritte: 'anzahl', laeufe: 'laeufe_anzahl' };

/** Said elsewhere: the unit with the value and its threshold, what was disobeyed and how much was seen in the sentence. */
const unsaid = new Set(['einheit', 'eingriff_id', 'nur_form', 'stufe']);
const instants = new Set(['bis', 'von', 'letzter_aufruf']);
const isDecimal = (value: unknown) => typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value);

function kindOf(name: string, value: unknown, unit: string | null): Kind {
  if (name === 'schritte') return 'steps';
  if (name === 'laeufe') return 'runs';
  if (Array.isArray(value)) return 'names';
  if (name.endsWith('_eur') || unit === 'eur') return 'money';
  if (name.endsWith('_ms')) return 'duration';
  if (name.endsWith('_prozent')) return 'percent';
  if (instants.has(name)) return 'instant';
  return typeof value === 'number' || isDecimal(value) || value === null ? 'number' : 'text';
}

/** The figures in the order they came; empty lists say nothing and are left out. */
export function figuresOf(werte: Record<string, unknown>): FindingFigure[] {
  return Object.entries(werte)
    .filter(([name, value]) => !unsaid.has(name) && !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => {
      const counted = name === 'wert' || name === 'schwelle';
      const unit = counted && typeof werte.einheit === 'string' ? werte.einheit : null;
      const all = werte[counts[name] ?? ''];
      const more = Array.isArray(value) && typeof all === 'number' && all > value.length;
      return { name, kind: kindOf(name, value, unit), value, unit, more };
    });
}

/** Numbers as ranges: `3–7, 12`, or with other signs as an address has them. */
export function rangesOf(numbers: readonly number[], dash = '–', comma = ', '): string {
  const sorted = [...new Set(numbers)].sort((a, b) => a - b);
  const ranges: [number, number][] = [];
  for (const number of sorted) {
    const last = ranges.at(-1);
    if (last && number === last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}${dash}${to}`)).join(comma);
}

/** The steps a finding is about, as the page of the run takes them: `3-7,12`; undefined where it names none. */
export function stepsInAddress(werte: Record<string, unknown>): string | undefined {
  const { schritte } = werte;
  if (!Array.isArray(schritte) || schritte.length === 0) return undefined;
  return rangesOf(
    schritte.filter((step) => Number.isInteger(step)),
    '-',
    ',',
  );
}
