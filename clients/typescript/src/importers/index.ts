/** Calls of the past from the files of other services. */
import type { Ereignis } from '../event.ts';
import { helicone } from './helicone.ts';
import type { Importer } from './importer.ts';
import { langfuse } from './langfuse.ts';
import { litellm } from './litellm.ts';
import { openrouter } from './openrouter.ts';
import { type Row, rowsOf } from './rows.ts';

const IMPORTERS: readonly Importer[] = [litellm, langfuse, openrouter, helicone];

/** Columns of files that say how many calls there were, and not which. */
const SUMS = [
  'num_model_requests',
  'n_requests',
  'num_requests',
  'api_requests',
  'successful_requests',
  'Requests',
  'usage_date_utc',
];

/** What a file is not; the message says what to do with it. */
export class NotImportable extends Error {}

/** What was found in a file. */
export interface FoundInFile {
  service: string;
  rows: number;
  events: Ereignis[];
  /** Why rows were left, and how many each time. */
  left: Map<string, number>;
}

const looksLikeSums = (row: Row): boolean =>
  SUMS.some((name) => name in row) || ('start_time' in row && 'results' in row);

function importerOf(rows: readonly Row[]): Importer {
  const first = rows[0];
  if (!first) throw new NotImportable('There is no row in it.');
  const found = IMPORTERS.find((importer) => importer.recognises(first));
  if (found) return found;
  if (looksLikeSums(first))
    throw new NotImportable(
      'It holds sums, not calls: compare it with what was counted in the cockpit, under Abgleich.',
    );
  const known = IMPORTERS.map(({ name }) => name).join(', ');
  throw new NotImportable(
    `It is of no service that is known (${known}): ${Object.keys(first).slice(0, 10).join(', ')}`,
  );
}

/** Why an event is left: without a time it would be one of today, without an id each import would count it anew. */
function lackOf({ zeitpunkt, ereignis_id }: Ereignis): string | null {
  if (zeitpunkt == null) return 'no time that can be read';
  return ereignis_id === undefined ? 'nothing names it' : null;
}

/** Reads a file. Throws NotImportable for what holds no calls, and what its form throws. */
export function readExport(file: string): FoundInFile {
  const rows = rowsOf(file);
  const importer = importerOf(rows);
  const left = new Map<string, number>();
  const events = rows.flatMap((row) => {
    const read = importer.recognises(row) ? importer.read(row) : { left: 'another kind of row' };
    const why = 'event' in read ? lackOf(read.event) : read.left;
    if ('event' in read && why === null) return [read.event];
    left.set(String(why), (left.get(String(why)) ?? 0) + 1);
    return [];
  });
  return { service: importer.name, rows: rows.length, events, left };
}
