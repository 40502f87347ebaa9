/** A row of `ereignisse` as the event that was counted, by all that was kept of it: what it has added to the sums. */
import type pg from 'pg';
import { DIMENSION_NAMES, DIMENSIONS, type DimensionName } from '#contracts';
import { isFailure } from '#domains/ereignisse/index.ts';
import type { TokenBuckets } from '#domains/preise/index.ts';
import { createLocalHours } from '#kernel/local-hours.ts';
import { instantOf } from '#kernel/microseconds.ts';
import { rateFrom, toEur, type Usd, usdFrom } from '#kernel/money.ts';
import { callKey } from './call-key.ts';
import { herkunftOf, isOfSubscription, libraryOf } from './herkunft.ts';
import type { CountedEvent } from './normalise.ts';
import { type OwnNamesSince, ownNamesAt, ownValuesOf } from './own-dimensions.ts';

type ValuesOfEvent = Pick<CountedEvent, DimensionName>;

/** A counted event as it is kept. */
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
  latenz_ms: number | null;
  erste_zeichen_ms: number | null;
  mit_fingerabdruck: boolean;
  /** As the sender gave them. */
  eingabe_token: number | null;
  ausgabe_token: number | null;
  cache_lese_token: number | null;
  cache_schreib_token: number | null;
  denk_token: number | null;
  /** Null where the sender gave no count at all. */
  eingabe_ohne_cache: number | null;
  /** A text beyond what a number holds: two counts may add up to that. */
  ausgabe_gesamt: number | string | null;
  kosten_usd: string | null;
  preis_quelle: string | null;
  teilbepreist: boolean;
  kurs_usd_eur: string;
  ersatzkurs: boolean;
  wiederholung: boolean;
}

const VALUES = DIMENSION_NAMES.map((name) => `${DIMENSIONS[name].column} AS ${name}`).join(', ');
/** The columns of it. */
export const COUNTED_ROW = `ereignis_id, schluessel_id, quelle, zusatz, zeitpunkt, empfangen_am, ${VALUES}, lauf_id, schritt_nr, status, geschaetzt,
    latenz_ms, erste_zeichen_ms, prompt_fingerabdruck IS NOT NULL AS mit_fingerabdruck,
    eingabe_token, ausgabe_token, cache_lese_token, cache_schreib_token, denk_token, eingabe_ohne_cache, ausgabe_gesamt,
    trim_scale(kosten_usd)::text AS kosten_usd, preis_quelle, teilbepreist, trim_scale(kurs_usd_eur)::text AS kurs_usd_eur, ersatzkurs, wiederholung`;

/** What of a counted call may become another while it stays: its price, its rate, and whether it repeats another. */
export type Changeable = Pick<CountedEvent, 'usd' | 'preisQuelle' | 'teilbepreist' | 'kurs' | 'wiederholung'>;

const inEur = (usd: bigint | null, { scaled }: CountedEvent['kurs']) =>
  usd === null ? null : toEur(usd as Usd, scaled);

/** The event with what has become another of it. */
export function changedEvent(event: CountedEvent, now: Partial<Changeable>): CountedEvent {
  const changed = { ...event, ...now };
  changed.eur = inEur(changed.usd, changed.kurs);
  return changed;
}

const valuesOf = (row: CountedRow): ValuesOfEvent =>
  Object.fromEntries(DIMENSION_NAMES.map((name) => [name, row[name]])) as unknown as ValuesOfEvent;

const exactly = (count: number | string): number | bigint =>
  Number.isSafeInteger(Number(count)) ? Number(count) : BigInt(count);

/** Its tokens as they are priced; null where it has no count at all. */
export const bucketsOf = (row: CountedRow): TokenBuckets | null =>
  row.eingabe_ohne_cache === null
    ? null
    : {
        eingabeOhneCache: row.eingabe_ohne_cache,
        cacheLese: row.cache_lese_token ?? 0,
        cacheSchreib: row.cache_schreib_token ?? 0,
        ausgabeGesamt: exactly(row.ausgabe_gesamt ?? 0),
      };

function moneyOf(row: CountedRow): Changeable & Pick<CountedEvent, 'eur'> {
  const usd = row.kosten_usd === null ? null : usdFrom(row.kosten_usd);
  // The day of a substitute stands with the hour since the event was counted.
  const kurs = {
    text: row.kurs_usd_eur,
    scaled: rateFrom(row.kurs_usd_eur),
    ersatz: row.ersatzkurs,
    ersatzTag: null,
  };
  return {
    usd,
    eur: inEur(usd, kurs),
    preisQuelle: row.preis_quelle,
    teilbepreist: row.teilbepreist,
    kurs,
    wiederholung: row.wiederholung,
  };
}

/** What of an event is not kept: only rules have asked for it. */
const NOT_KEPT = { gewollt: false, eltern: null };

function countedEvent(
  row: CountedRow,
  localHour: ReturnType<typeof createLocalHours>,
  since: readonly OwnNamesSince[],
): CountedEvent {
  const received = instantOf(row.empfangen_am);
  return {
    ...instantOf(row.zeitpunkt),
    received,
    schluessel: row.schluessel_id === null ? null : callKey(row.schluessel_id),
    herkunft: herkunftOf(row.quelle, libraryOf(row.zusatz)),
    abo: isOfSubscription(row.zusatz),
    ...valuesOf(row),
    merkmale: since.length === 0 ? [] : ownValuesOf(row.zusatz, ownNamesAt(since, received)),
    ersteZeichenMs: row.erste_zeichen_ms,
    lauf: row.lauf_id,
    schritt: row.schritt_nr,
    latenzMs: row.latenz_ms,
    status: row.status,
    failed: isFailure(row.status, received.seconds),
    geschaetzt: row.geschaetzt,
    mitFingerabdruck: row.mit_fingerabdruck,
    sent: {
      eingabe: row.eingabe_token,
      ausgabe: row.ausgabe_token,
      cacheLese: row.cache_lese_token,
      cacheSchreib: row.cache_schreib_token,
      denk: row.denk_token,
    },
    buckets: bucketsOf(row),
    ...NOT_KEPT,
    ...localHour(Date.parse(row.zeitpunkt)),
    ...moneyOf(row),
  };
}

const SETTINGS = 'SELECT zeitzone, eigene_merkmale FROM mandanten WHERE mandant_id = $1';

/** A function that makes of rows of the Mandant what they were counted as. */
export async function readAsCounted(
  client: pg.ClientBase,
  mandant: string,
): Promise<(row: CountedRow) => CountedEvent> {
  const { rows } = await client.query<{ zeitzone: string; eigene_merkmale: OwnNamesSince[] }>(SETTINGS, [
    mandant,
  ]);
  const { zeitzone, eigene_merkmale } = rows[0] ?? { zeitzone: 'UTC', eigene_merkmale: [] };
  const localHour = createLocalHours(zeitzone);
  return (row) => countedEvent(row, localHour, eigene_merkmale);
}
