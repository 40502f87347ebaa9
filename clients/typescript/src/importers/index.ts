/** Calls of the past from the files of other services. */
import type { Ereignis } from '../event.ts';
import { type Exact, exact, plus, written } from '../exact.ts';
import { claudeCode } from './claude-code.ts';
import { helicone } from './helicone.ts';
import { type Imported, type Importer, LEFT, type Reason } from './importer.ts';
import { langfuse } from './langfuse.ts';
import { litellm } from './litellm.ts';
import { NotImportable } from './not-importable.ts';
import { openrouter } from './openrouter.ts';
import { type Row, RowReader } from './rows.ts';

export { claudeCode, LEFT, NotImportable, type Reason };

const IMPORTERS: readonly Importer[] = [litellm, langfuse, openrouter, helicone, claudeCode];

/** Columns of files that say how many calls there were, and not which. */
const SUMS = [
  'num_model_requests',
  'n_requests',
  'num_requests',
  'api_requests',
  'successful_requests',
  'requests',
  'Requests',
  'usage_date_utc',
];

/** As many decimals as the service takes. */
const DECIMALS = 18;

const looksLikeSums = (row: Row): boolean =>
  SUMS.some((name) => name in row) || ('start_time' in row && 'results' in row);

function importerOf(first: Row): Importer {
  const found = IMPORTERS.find((importer) => importer.recognises(first));
  if (found) return found;
  if (looksLikeSums(first))
    throw new NotImportable(
      'summen',
      'It holds sums, not calls: compare it with what was counted in the cockpit, under Abgleich.',
    );
  const known = IMPORTERS.map(({ name }) => name).join(', ');
  throw new NotImportable(
    'unbekannt',
    `It is of no service that is known (${known}): ${Object.keys(first).slice(0, 10).join(', ')}`,
  );
}

/** Why an event is left: without a time it would be one of today, without an id each import would count it anew. */
function lackOf({ zeitpunkt, ereignis_id }: Ereignis): Reason | null {
  if (zeitpunkt == null) return 'keine_zeit';
  return ereignis_id == null ? 'keine_kennung' : null;
}

/** Reads an export as it comes, and keeps of it what of each call has been told. */
export class ExportReader {
  rows = 0;
  /** Why rows were left, and how many each time. */
  readonly left = new Map<Reason, number>();
  readonly #reader = new RowReader();
  readonly #ids = new Set<string>();
  /** Of answers that several rows tell of, the last row's. */
  readonly #answers = new Map<string, Imported>();
  #importer: Importer | null;
  #cost: Exact | null = null;

  /** `importer`: where it is known which service it is of. */
  constructor(importer: Importer | null = null) {
    this.#importer = importer;
  }

  /** Which service the file is of; null before its first row. */
  get service(): string | null {
    return this.#importer?.name ?? null;
  }

  /** What the file says that these calls cost, in USD; null where it says nothing. */
  get cost(): string | null {
    return this.#cost && written(this.#cost, DECIMALS);
  }

  /** The calls of the rows that are whole with this text. Throws NotImportable, and what its form throws. */
  add(text: string): Ereignis[] {
    return this.#reader.add(text).flatMap((row) => this.#take(row));
  }

  /** … and of the rest. Throws likewise. */
  end(): Ereignis[] {
    const rest = this.#reader.end().flatMap((row) => this.#take(row));
    if (this.#reader.unreadable > 0) this.#leave('unlesbar', this.#reader.unreadable);
    if (this.rows === 0 && this.#reader.unreadable === 0)
      throw new NotImportable('leer', 'There is no row in it.');
    return [...rest, ...[...this.#answers.values()].flatMap((read) => this.#callsOf(read))];
  }

  #leave(reason: Reason, count = 1): void {
    this.left.set(reason, (this.left.get(reason) ?? 0) + count);
  }

  #take(row: Row): Ereignis[] {
    this.rows += 1;
    this.#importer ??= importerOf(row);
    const read: Imported = this.#importer.recognises(row)
      ? this.#importer.read(row)
      : { left: 'andere_zeile' };
    const name = this.#importer.nameOf?.(row) ?? null;
    if (name === null || 'left' in read) return this.#callsOf(read);
    if (this.#answers.has(name)) this.#leave('wiederholt');
    this.#answers.set(name, read);
    return [];
  }

  #callsOf(read: Imported): Ereignis[] {
    if ('left' in read) {
      this.#leave(read.left);
      return [];
    }
    const calls = read.events.filter((event) => this.#isCall(event));
    const cost = calls.length > 0 && read.cost !== null ? exact(read.cost) : null;
    if (cost) this.#cost = this.#cost ? plus(this.#cost, cost) : cost;
    return calls;
  }

  #isCall(event: Ereignis): boolean {
    const id = String(event.ereignis_id);
    const why = lackOf(event) ?? (this.#ids.has(id) ? 'wiederholt' : null);
    if (why !== null) this.#leave(why);
    else this.#ids.add(id);
    return why === null;
  }
}
