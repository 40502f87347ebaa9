/** What other slices read of the counted events. Instants come out as ISO 8601 in UTC. */
import { sql } from 'kysely';
import { toCount } from '#kernel/count.ts';
import { exactText, type MandantTx } from '#platform/database/index.ts';

/** How far a Mandant has been counted. */
export interface Zaehlstand {
  ereignisse_gesamt: number;
  erster_aufruf_am: string | null;
  letzter_aufruf_am: string | null;
  /** Earliest and latest `zeitpunkt` of what has been counted. */
  daten_von: string | null;
  daten_bis: string | null;
}

export interface LatestEvent {
  ereignis_id: string;
  zeitpunkt: string;
  agent: string;
  anbieter: string | null;
  modell: string | null;
  status: string;
  eingabe_token: number | null;
  ausgabe_token: number | null;
  /** EUR, exact; null when the price is unknown. */
  kosten_eur: string | null;
  lauf_id: string | null;
}

const toCountOrNull = (value: number | string | null) => (value === null ? null : toCount(value));

/** The Mandant's counting state; null before anything has been counted. */
export async function readZaehlstand(tx: MandantTx): Promise<Zaehlstand | null> {
  const row = await tx
    .selectFrom('zaehlstaende')
    .select(['ereignisse_gesamt', 'erster_aufruf_am', 'letzter_aufruf_am', 'daten_von', 'daten_bis'])
    .where('mandant_id', '=', tx.mandant)
    .executeTakeFirst();
  return row ? { ...row, ereignisse_gesamt: toCount(row.ereignisse_gesamt) } : null;
}

/** What of a Mandant waits to be counted. */
export interface Backlog {
  events: number;
  /** How long the first of it has waited. */
  seconds: number;
}

/** What waits, of this many batches at most, from the first on. */
export async function readBacklog(tx: MandantTx, limit: number): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    SELECT coalesce(sum(anzahl), 0)::int AS events,
      coalesce(extract(epoch FROM clock_timestamp() - min(empfangen_am)), 0)::float8 AS seconds
    FROM (SELECT anzahl, empfangen_am FROM eingang WHERE mandant_id = ${tx.mandant}
      ORDER BY eingang_id LIMIT ${limit}) AS wartet`.execute(tx);
  return rows[0] ?? { events: 0, seconds: 0 };
}

/** What events lack that others have, as numbers of events. */
export interface Gaps {
  aufrufe: number;
  ohne_lauf: number;
  ohne_fingerabdruck: number;
  ohne_endkunde: number;
  adresse_als_anbieter: number;
}

/** What the newest counted events lack, this many of them by their `zeitpunkt`. */
export function readGaps(tx: MandantTx, limit: number): Promise<Gaps> {
  const latest = tx
    .selectFrom('ereignisse')
    .select(['lauf_id', 'prompt_fingerabdruck', 'endkunde_ref', 'anbieter'])
    .select(sql<boolean>`coalesce((zusatz->'abonnement')::text = 'true', false)`.as('abo'))
    .where('mandant_id', '=', tx.mandant)
    .orderBy('zeitpunkt', 'desc')
    .orderBy('ereignis_id', 'desc')
    .limit(limit);
  return tx
    .with('letzte', () => latest)
    .selectFrom('letzte')
    .select(({ fn }) => [
      fn.countAll<number>().as('aufrufe'),
      fn.countAll<number>().filterWhere('lauf_id', 'is', null).as('ohne_lauf'),
      fn.countAll<number>().filterWhere('prompt_fingerabdruck', 'is', null).as('ohne_fingerabdruck'),
      // What a subscription pays for is of none (docs/decisions/0127).
      fn
        .countAll<number>()
        .filterWhere('endkunde_ref', 'is', null)
        .filterWhere('abo', '=', false)
        .as('ohne_endkunde'),
      // A dot or a port: providers have neither in their names.
      fn.countAll<number>().filterWhere('anbieter', '~', '[.:]|^localhost$').as('adresse_als_anbieter'),
    ])
    .executeTakeFirstOrThrow();
}

/** The newest counted events by their `zeitpunkt`, newest first. */
export async function readLatestEvents(tx: MandantTx, limit: number): Promise<LatestEvent[]> {
  const rows = await tx
    .selectFrom('ereignisse')
    .select(['ereignis_id', 'zeitpunkt', 'agent', 'anbieter', 'modell', 'status', 'lauf_id'])
    .select(['eingabe_token', 'ausgabe_token'])
    .select(({ ref }) => exactText(ref('kosten_eur')).as('kosten_eur'))
    .where('mandant_id', '=', tx.mandant)
    .orderBy('zeitpunkt', 'desc')
    .orderBy('ereignis_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    ...row,
    eingabe_token: toCountOrNull(row.eingabe_token),
    ausgabe_token: toCountOrNull(row.ausgabe_token),
  }));
}

/** A row of the inbox, within somebody's transaction. */
export async function insertBatch(
  tx: MandantTx,
  batch: {
    eingangId: string;
    empfangenAm: Date;
    schluesselId: string;
    projekt: string | null;
    anzahl: number;
    umfang: number;
    daten: Buffer;
    aendert: boolean;
  },
): Promise<void> {
  await tx
    .insertInto('eingang')
    .values({
      mandant_id: tx.mandant,
      eingang_id: batch.eingangId,
      empfangen_am: batch.empfangenAm.toISOString(),
      schluessel_id: batch.schluesselId,
      projekt: batch.projekt,
      anzahl: batch.anzahl,
      umfang: batch.umfang,
      daten: batch.daten,
      aendert: batch.aendert,
    })
    .execute();
}
