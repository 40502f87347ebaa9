import type { Ereignis } from './event.ts';

const COLUMNS = [
  'eingabe_token',
  'ausgabe_token',
  'cache_lese_token',
  'cache_schreib_token',
  'denk_token',
] as const;
const HEAD = [
  'provider',
  'model',
  'calls',
  'errors',
  'uncounted',
  'input',
  'output',
  'cache read',
  'cache write',
  'reasoning',
];

/** Sum of a count over the events; a dash where not one of them knows it. */
function sumOf(events: Ereignis[], column: (typeof COLUMNS)[number]): string {
  const known = events.map((event) => event[column] ?? null).filter((value) => value !== null);
  return known.length === 0 ? '–' : String(known.reduce((sum, value) => sum + value, 0));
}

function rowOf(provider: string, model: string, events: Ereignis[]): string[] {
  const errors = events.filter((event) => event.status === 'fehler').length;
  const uncounted = events.filter(
    (event) => event.eingabe_token == null && event.ausgabe_token == null,
  ).length;
  const sums = COLUMNS.map((column) => sumOf(events, column));
  return [provider, model, String(events.length), String(errors), String(uncounted), ...sums];
}

/** Text table of what events add up to per provider and model, with a last line for all. */
export function summaryOf(events: Ereignis[]): string {
  const groups = new Map<string, Ereignis[]>();
  for (const event of events) {
    const key = `${event.anbieter ?? '–'}\t${event.modell ?? '–'}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  const rows = [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, group]) => {
      const [provider = '', model = ''] = key.split('\t');
      return rowOf(provider, model, group);
    });
  const table = [HEAD, ...rows, rowOf('all', '', events)];
  const widths = HEAD.map((_head, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table
    .map((row) =>
      row.map((cell, i) => (i < 2 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  '),
    )
    .join('\n');
}
