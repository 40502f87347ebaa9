/**
 * Calls that were counted before their model had a price get it as soon as there is one: event, rollups and run change in
 * one transaction under the Mandant's counting lock, at the exchange rate the event was counted with.
 */
import type pg from 'pg';
import { costOf, type PriceList, RATE_SCALE, USD_SCALE } from '#domains/preise/index.ts';
import { scaledFrom, textOf } from '#kernel/decimal-text.ts';
import { createLocalHours, type LocalHour } from '#kernel/local-hours.ts';
import { instantOf } from '#kernel/microseconds.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { type CountedEvent, SUCCESS } from './normalise.ts';
import { addLatePrice, createTotals, dayTotals } from './totals.ts';
import { addToCounted } from './upserts.ts';

/** Calls of one model on one local day of which some have no price yet. */
interface Gap {
  mandant_id: string;
  zeitzone: string;
  tag: string;
  anbieter: string;
  modell: string;
}

interface UnpricedRow {
  ereignis_id: string;
  zeitpunkt: string;
  agent: string;
  projekt: string;
  lauf_id: string | null;
  schritt_nr: number | null;
  endkunde_ref: string | null;
  funktion_ref: string | null;
  benutzer_ref: string | null;
  status: string;
  geschaetzt: boolean;
  eingabe_ohne_cache: number;
  cache_lese_token: number | null;
  cache_schreib_token: number | null;
  ausgabe_gesamt: number;
  kurs_usd_eur: string;
}

/** A call and what it is now that its price is known. */
interface PricedEvent {
  row: UnpricedRow;
  event: CountedEvent;
}

/** Only money is added: the tokens were counted when the call came. */
const NOT_COUNTED_AGAIN: CountedEvent['sent'] = {
  eingabe: null,
  ausgabe: null,
  cacheLese: null,
  cacheSchreib: null,
  denk: null,
};

const PER_TRANSACTION = 2_000;

const GAPS = `SELECT DISTINCT v.mandant_id, m.zeitzone, v.tag, v.anbieter, v.modell
  FROM verbrauch_tag v JOIN mandanten m USING (mandant_id) WHERE v.unbepreist > 0`;

// Calls without any token count stay unpriced whatever the price: what they used is unknown.
const UNPRICED = `SELECT ereignis_id, zeitpunkt, agent, projekt, lauf_id, schritt_nr, endkunde_ref, funktion_ref, benutzer_ref,
    status, geschaetzt, eingabe_ohne_cache, cache_lese_token, cache_schreib_token, ausgabe_gesamt, trim_scale(kurs_usd_eur)::text AS kurs_usd_eur
  FROM ereignisse
  WHERE mandant_id = $1 AND zeitpunkt >= $2::date::timestamp AT TIME ZONE $3
    AND zeitpunkt < ($2::date + 1)::timestamp AT TIME ZONE $3
    AND coalesce(anbieter, '') = $4 AND coalesce(modell, '') = $5 AND kosten_usd IS NULL AND eingabe_ohne_cache IS NOT NULL
    AND (zeitpunkt, ereignis_id) > ($6, $7)
  ORDER BY zeitpunkt, ereignis_id LIMIT ${PER_TRANSACTION}`;

function price(
  row: UnpricedRow,
  gap: Gap,
  prices: PriceList,
  localHour: (ms: number) => LocalHour,
): PricedEvent | null {
  const zeitpunkt = instantOf(row.zeitpunkt);
  const epochMs = Date.parse(row.zeitpunkt);
  const rates = prices.model(gap.anbieter || null, gap.modell)(epochMs);
  const buckets = {
    eingabeOhneCache: row.eingabe_ohne_cache,
    cacheLese: row.cache_lese_token ?? 0,
    cacheSchreib: row.cache_schreib_token ?? 0,
    ausgabeGesamt: row.ausgabe_gesamt,
  };
  const usd = rates ? costOf(buckets, rates) : null;
  if (usd === null || !rates) return null;
  const kursScaled = scaledFrom(row.kurs_usd_eur, RATE_SCALE);
  const event = {
    ...zeitpunkt,
    received: zeitpunkt,
    anbieter: gap.anbieter,
    modell: gap.modell,
    agent: row.agent,
    projekt: row.projekt,
    endkunde: row.endkunde_ref,
    funktion: row.funktion_ref || null,
    benutzer: row.benutzer_ref || null,
    lauf: row.lauf_id,
    schritt: row.schritt_nr,
    latenzMs: null,
    status: row.status,
    failed: row.status !== SUCCESS,
    geschaetzt: row.geschaetzt,
    sent: NOT_COUNTED_AGAIN,
    ...localHour(epochMs),
    kurs: row.kurs_usd_eur,
    kursScaled,
    buckets,
    usd,
    eur: usd * kursScaled,
    preisQuelle: rates.source,
  };
  return { row, event };
}

async function store(client: pg.PoolClient, mandant: string, events: PricedEvent[]): Promise<void> {
  await client.query(
    `UPDATE ereignisse e SET kosten_usd = neu.usd, preis_quelle = neu.quelle
     FROM unnest($2::uuid[], $3::timestamptz[], $4::numeric[], $5::text[]) AS neu (id, zeitpunkt, usd, quelle)
     WHERE e.mandant_id = $1 AND e.zeitpunkt = neu.zeitpunkt AND e.ereignis_id = neu.id`,
    [
      mandant,
      events.map(({ row }) => row.ereignis_id),
      events.map(({ row }) => row.zeitpunkt),
      events.map(({ event }) => textOf(event.usd ?? 0n, USD_SCALE)),
      events.map(({ event }) => event.preisQuelle),
    ],
  );
  const totals = createTotals(addLatePrice);
  for (const { event } of events) totals.add(event);
  const hours = totals.hours();
  await addToCounted(client, mandant, { hours, days: dayTotals(hours), runs: totals.runs() });
}

/** Closes one gap as far as prices are known; resolves with the number of events priced. */
async function closeGap(db: OwnerDatabase, gap: Gap, prices: PriceList): Promise<number> {
  const localHour = createLocalHours(gap.zeitzone);
  let after: [string, string] = ['-infinity', '00000000-0000-0000-0000-000000000000'];
  let priced = 0;
  for (;;) {
    const rows = await db.transaction(async (client) => {
      await client.query('SELECT 1 FROM zaehlstaende WHERE mandant_id = $1 FOR UPDATE', [gap.mandant_id]);
      const found = await client.query<UnpricedRow>(UNPRICED, [
        gap.mandant_id,
        gap.tag,
        gap.zeitzone,
        gap.anbieter,
        gap.modell,
        ...after,
      ]);
      const events = found.rows.flatMap((row) => price(row, gap, prices, localHour) ?? []);
      if (events.length > 0) await store(client, gap.mandant_id, events);
      priced += events.length;
      return found.rows;
    });
    const last = rows.at(-1);
    if (!last || rows.length < PER_TRANSACTION) return priced;
    after = [last.zeitpunkt, last.ereignis_id];
  }
}

/** Prices what can be priced now, for all Mandanten; resolves with the number of events. Safe to repeat. */
export async function applyLatePrices(db: OwnerDatabase, prices: PriceList): Promise<number> {
  const { rows: gaps } = await db.query<Gap>(GAPS);
  let priced = 0;
  for (const gap of gaps) {
    // The end of the day knows every price that began on it; each event is then asked for at its own time.
    const dayEnd = Date.parse(`${gap.tag}T23:59:59Z`);
    if (prices.model(gap.anbieter || null, gap.modell)(dayEnd)) priced += await closeGap(db, gap, prices);
  }
  return priced;
}
