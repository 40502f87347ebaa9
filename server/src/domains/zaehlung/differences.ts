/**
 * Events that were counted before and change: the difference goes to all sums and the run, in the transaction that changes the
 * event, under the Mandant's counting lock, at the exchange rate the event was counted with.
 */
import type pg from 'pg';
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName } from '#contracts';
import { isFailure } from '#domains/ereignisse/index.ts';
import type { LocalHour } from '#kernel/local-hours.ts';
import { instantOf } from '#kernel/microseconds.ts';
import { rateFrom } from '#kernel/money.ts';
import { callKey } from './call-key.ts';
import { herkunftOf, isOfSubscription, libraryOf } from './herkunft.ts';
import { type KeyAddition, KeySums } from './key-sums.ts';
import { Merkmale, type MerkmalStand } from './merkmale.ts';
import type { CountedEvent } from './normalise.ts';
import { type OwnNamesSince, ownNamesAt, ownValuesOf } from './own-dimensions.ts';
import { type RunAddition, Runs } from './runs.ts';
import { SourceSums } from './source-sums.ts';
import type { Addition } from './sums/figures.ts';
import { Sums } from './sums/sums.ts';
import { addToCounted } from './write/write.ts';

type ValuesOfEvent = Pick<CountedEvent, DimensionName>;

/** A counted event as far as its place in the sums needs it. */
export interface CountedRow extends ValuesOfEvent {
  ereignis_id: string;
  /** Null where it was not noted. */
  schluessel_id: string | null;
  quelle: string;
  zusatz: Record<string, unknown> | null;
  zeitpunkt: string;
  empfangen_am: string;
  lauf_id: string | null;
  schritt_nr: number | null;
  status: string;
  geschaetzt: boolean;
  kurs_usd_eur: string;
  ersatzkurs: boolean;
}

const VALUES = DIMENSION_NAMES.map((name) => `${DIMENSIONS[name].column} AS ${name}`).join(', ');
/** The columns of it. */
export const COUNTED_ROW = `ereignis_id, schluessel_id, quelle, zusatz, zeitpunkt, empfangen_am, ${VALUES}, lauf_id, schritt_nr, status, geschaetzt,
  trim_scale(kurs_usd_eur)::text AS kurs_usd_eur, ersatzkurs`;

/** What the locked row of `zaehlstaende` says. */
export type Stand = MerkmalStand & { marken: number; stuecke_bis: number; quellen: string[] };

const LOCK =
  'SELECT marken, stuecke_bis, quellen, merkmale_anzahl, merkmale_marke FROM zaehlstaende WHERE mandant_id = $1 FOR UPDATE';

/** The last day (UTC) whose calls do not change any more, as SQL: they are removed, or will be; null where all are kept. */
export const CHANGES_UNTIL = "(SELECT (annahme_ab AT TIME ZONE 'UTC')::date FROM aufbewahrung)";

/** Takes the counting lock of a Mandant; null when it has been removed. */
export async function lockCounting(client: pg.ClientBase, mandant: string): Promise<Stand | null> {
  const { rows } = await client.query<Stand>(LOCK, [mandant]);
  return rows[0] ?? null;
}

/** Only money is added: the tokens were counted when the call came. */
const NOT_COUNTED_AGAIN: CountedEvent['sent'] = {
  eingabe: null,
  ausgabe: null,
  cacheLese: null,
  cacheSchreib: null,
  denk: null,
};

export const hasFailed = ({ status, empfangen_am }: CountedRow): boolean =>
  isFailure(status, instantOf(empfangen_am).seconds);

/** Whether the cost of the call is burnt: what was proven to be a repeat is as a failed one is. */
export const isBurnt = (row: CountedRow & { wiederholung: boolean }): boolean =>
  row.wiederholung || hasFailed(row);

const valuesOf = (row: CountedRow): ValuesOfEvent =>
  Object.fromEntries(DIMENSION_NAMES.map((name) => [name, row[name]])) as unknown as ValuesOfEvent;

/** A counted event that changes, with its free data. */
export interface ChangedEvent extends CountedEvent {
  zusatz: Record<string, unknown> | null;
}

/** The event as counting sees it, with what is to be added for it. */
export function eventOf(
  row: CountedRow,
  localHour: (ms: number) => LocalHour,
  money: Pick<CountedEvent, 'buckets' | 'usd' | 'eur' | 'teilbepreist' | 'preisQuelle' | 'failed'>,
): ChangedEvent {
  const zeitpunkt = instantOf(row.zeitpunkt);
  return {
    ...zeitpunkt,
    received: instantOf(row.empfangen_am),
    schluessel: row.schluessel_id === null ? null : callKey(row.schluessel_id),
    herkunft: herkunftOf(row.quelle, libraryOf(row.zusatz)),
    abo: isOfSubscription(row.zusatz),
    ...valuesOf(row),
    ersteZeichenMs: null,
    lauf: row.lauf_id,
    schritt: row.schritt_nr,
    latenzMs: null,
    status: row.status,
    gewollt: false,
    eltern: null,
    geschaetzt: row.geschaetzt,
    // Nothing is added of it.
    mitFingerabdruck: true,
    // Found when the difference is added: which they are is a setting.
    merkmale: [],
    zusatz: row.zusatz,
    sent: NOT_COUNTED_AGAIN,
    ...localHour(Date.parse(row.zeitpunkt)),
    kurs: {
      text: row.kurs_usd_eur,
      scaled: rateFrom(row.kurs_usd_eur),
      ersatz: row.ersatzkurs,
      // It stands with the hour since the event was counted.
      ersatzTag: null,
    },
    ...money,
  };
}

/** What a difference adds to sums, runs and keys, and whether rules are to look at the runs again. */
export interface Difference {
  toSums: Addition;
  toRuns: RunAddition;
  toKeys: KeyAddition | null;
  rereads: boolean;
}

const OWN = 'SELECT eigene_merkmale FROM mandanten WHERE mandant_id = $1';

/** The keys of the Mandant's own dimensions, and from when on each held. */
export async function readOwnNames(client: pg.ClientBase, mandant: string): Promise<OwnNamesSince[]> {
  const { rows } = await client.query<{ eigene_merkmale: OwnNamesSince[] }>(OWN, [mandant]);
  return rows[0]?.eigene_merkmale ?? [];
}

/** The event with the values of the Mandant's own dimensions that it was counted with. */
export const withOwnValues = (event: ChangedEvent, since: readonly OwnNamesSince[]): CountedEvent =>
  since.length === 0
    ? event
    : { ...event, merkmale: ownValuesOf(event.zusatz, ownNamesAt(since, event.received)) };

/** Adds a difference for each of these events. The caller holds the counting lock. */
export async function addDifferences(
  client: pg.PoolClient,
  mandant: string,
  stand: Stand,
  events: ChangedEvent[],
  { toSums, toRuns, toKeys, rereads }: Difference,
): Promise<void> {
  const sums = new Sums(Date.now(), toSums);
  const keys = new KeySums(toKeys);
  const ofSources = new SourceSums(toKeys);
  const runs = new Runs(toRuns);
  const since = await readOwnNames(client, mandant);
  for (const changed of events) {
    const event = withOwnValues(changed, since);
    sums.add(event);
    keys.add(event);
    ofSources.add(event);
    runs.add(event);
  }
  const [resolved] = await new Merkmale().resolve(client, [{ mandant, values: sums.values, stand }]);
  if (!resolved) throw new Error('nothing was resolved');
  const sources = ofSources.within(stand.quellen, 0);
  const totals = [...runs.totals.values()];
  const part = {
    ...{ mandant, sums, keys, sources, resolved, singly: false },
    runs: totals,
    marken: stand.marken,
    inPieces: stand.stuecke_bis === stand.marken,
  };
  await addToCounted(client, [part], rereads);
}
