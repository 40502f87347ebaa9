/** SQL of what was told and what became of it, for requests and jobs of one Mandant. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';
import type { ReducedRecords } from './convert/reduce.ts';
import type { Sighting } from './convert/sighting.ts';

/** Whose key it came by. */
export interface By {
  schluesselId: string;
  projekt: string | null;
}

/** How and when something was told, and when its traces are due: those that are whole, and others. */
interface Delivery {
  id: string;
  by: By;
  at: Date;
  soon: Date;
  later: Date;
}

/**
 * Keeps what was told, and notes when it is to be looked at: what completes a trace brings it forward. Of other things than calls that alone
 * is kept which stands around calls that are known. The database takes it apart: lists of twenty thousand traces would hold up all others here.
 */
export async function insertTold(
  tx: MandantTx,
  { traces, sightings }: Pick<ReducedRecords, 'traces' | 'sightings'>,
  { id, by, at, soon, later }: Delivery,
): Promise<void> {
  const columns = sql.raw(
    'spur text, instanz text, art text, von timestamptz, bis timestamptz, fremd boolean, ganz boolean, ab int, laenge int',
  );
  const known = sql`EXISTS (
    SELECT FROM otlp_spuren o WHERE o.mandant_id = ${tx.mandant} AND o.spur = t.spur COLLATE "C")`;
  // Nothing can be there: a cluster writes rows of a query without a conflict in a way that is not open to requests.
  await sql`
    INSERT INTO otlp_spuren (mandant_id, spur, lieferung_id, empfangen_am, schluessel_id, projekt, instanz, art, von, bis, sichtungen)
    SELECT ${tx.mandant}::uuid, spur, ${id}::uuid, ${at.toISOString()}::timestamptz, ${by.schluesselId}::uuid, ${by.projekt}::text,
      instanz, art, von, bis, substring(${sightings}::bytea FROM ab FOR laenge)
    FROM json_to_recordset(convert_from(${traces}::bytea, 'UTF8')::json) AS t (${columns})
    WHERE NOT t.fremd OR ${known}
    ON CONFLICT DO NOTHING`.execute(tx);
  // In one order: requests that tell of the same traces wait for each other, not in a circle.
  await sql`
    INSERT INTO otlp_faellig AS f (mandant_id, spur, ab)
    SELECT ${tx.mandant}::uuid, spur, CASE WHEN ganz THEN ${soon.toISOString()}::timestamptz ELSE ${later.toISOString()}::timestamptz END
    FROM json_to_recordset(convert_from(${traces}::bytea, 'UTF8')::json) AS t (${columns})
    WHERE ${known} ORDER BY spur COLLATE "C"
    ON CONFLICT (mandant_id, spur) DO UPDATE SET ab = excluded.ab WHERE excluded.ab < f.ab`.execute(tx);
}

/** Nobody else looks at what the Mandant was told until the transaction ends; false where somebody does. */
export async function tryLock(tx: MandantTx): Promise<boolean> {
  const { rows } = await sql<{ locked: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtext('otlp'), hashtext(${tx.mandant})) AS locked`.execute(tx);
  return rows[0]?.locked ?? false;
}

/** Takes the traces that are due, the longest due first; those that something is just coming for wait for it. */
export async function takeDue(tx: MandantTx, now: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ spur: string }>`
    WITH faellig AS MATERIALIZED (
      SELECT spur FROM otlp_faellig WHERE mandant_id = ${tx.mandant} AND ab <= ${now.toISOString()}
      ORDER BY ab, spur LIMIT ${most} FOR UPDATE SKIP LOCKED)
    DELETE FROM otlp_faellig WHERE mandant_id = ${tx.mandant} AND spur IN (SELECT spur FROM faellig)
    RETURNING spur`.execute(tx);
  return rows.map(({ spur }) => spur);
}

/** A delivery as it was kept. */
export interface Kept {
  spur: string;
  sichtungen: Sighting[];
  by: By;
}

const keptOf = (row: {
  spur: string;
  schluessel_id: string;
  projekt: string | null;
  sichtungen: Buffer;
}): Kept => ({
  spur: row.spur,
  sichtungen: JSON.parse(row.sichtungen.toString()),
  by: { schluesselId: row.schluessel_id, projekt: row.projekt },
});

/** All that is known of these traces. */
export async function readTraces(tx: MandantTx, spuren: readonly string[]): Promise<Kept[]> {
  if (spuren.length === 0) return [];
  const rows = await tx
    .selectFrom('otlp_spuren')
    .select(['spur', 'schluessel_id', 'projekt', 'sichtungen'])
    .where('mandant_id', '=', tx.mandant)
    .where('spur', 'in', [...spuren])
    .orderBy('lieferung_id')
    .execute();
  return rows.map(keptOf);
}

/** Other traces of the same processes whose calls were at the same time, and may be the same. */
export async function findNeighbours(
  tx: MandantTx,
  spuren: readonly string[],
  { within, most }: { within: string; most: number },
): Promise<string[]> {
  // First by the whole time of each kind: where all are alike nothing is left to be compared one by one.
  const { rows } = await sql<{ spur: string }>`
    WITH f AS MATERIALIZED (
      SELECT instanz, art, min(von) - ${within}::interval AS von, max(bis) + ${within}::interval AS bis
      FROM otlp_spuren WHERE mandant_id = ${tx.mandant} AND spur = ANY(${spuren}::text[]) AND bis IS NOT NULL
      GROUP BY instanz, art, spur),
    alle AS (SELECT instanz, art, min(von) AS von, max(bis) AS bis FROM f GROUP BY instanz, art),
    moeglich AS MATERIALIZED (
      SELECT o.spur, o.instanz, o.art, o.von, o.bis FROM alle
        JOIN otlp_spuren o ON o.instanz = alle.instanz AND o.bis >= alle.von AND o.von <= alle.bis
          AND (o.art = alle.art) IS NOT TRUE
      WHERE o.mandant_id = ${tx.mandant} AND o.bis IS NOT NULL AND NOT o.spur = ANY(${spuren}::text[]))
    SELECT DISTINCT m.spur FROM moeglich m
      JOIN f ON m.instanz = f.instanz AND m.bis >= f.von AND m.von <= f.bis AND (m.art = f.art) IS NOT TRUE
    LIMIT ${most}`.execute(tx);
  return rows.map(({ spur }) => spur);
}

/** A call that was handed on. */
export interface HandedOn {
  ereignis_id: string;
  spur: string;
  sichtungen: string[];
  /** When it was handed on to have been. */
  zeitpunkt: string;
  fassung: number;
  /** Null: taken back. */
  abdruck: Buffer | null;
}

/** What was handed on of these traces, and under these ids. */
export async function readHandedOn(
  tx: MandantTx,
  spuren: readonly string[],
  ids: readonly string[],
): Promise<HandedOn[]> {
  return tx
    .selectFrom('otlp_aufrufe')
    .select(['ereignis_id', 'spur', 'sichtungen', 'zeitpunkt', 'fassung', 'abdruck'])
    .where('mandant_id', '=', tx.mandant)
    .where(({ eb, or }) =>
      or([
        eb('spur', '=', sql<string>`ANY(${spuren}::text[])`),
        eb('ereignis_id', '=', sql<string>`ANY(${ids}::uuid[])`),
      ]),
    )
    .execute();
}

/** Notes what is handed on. */
export async function noteHandedOn(tx: MandantTx, calls: readonly HandedOn[], now: Date): Promise<void> {
  if (calls.length === 0) return;
  const geaendert_am = now.toISOString();
  await tx
    .insertInto('otlp_aufrufe')
    .values(calls.map((call) => ({ mandant_id: tx.mandant, ...call, geaendert_am })))
    .onConflict((conflict) =>
      conflict.columns(['mandant_id', 'ereignis_id']).doUpdateSet(({ ref }) => ({
        spur: ref('excluded.spur'),
        sichtungen: ref('excluded.sichtungen'),
        zeitpunkt: ref('excluded.zeitpunkt'),
        fassung: ref('excluded.fassung'),
        abdruck: ref('excluded.abdruck'),
        geaendert_am,
      })),
    )
    .execute();
}

/** Removes what nothing comes to any more. */
export async function removeOld(tx: MandantTx, before: Date): Promise<number> {
  const instant = before.toISOString();
  const traces = await tx
    .deleteFrom('otlp_spuren')
    .where('mandant_id', '=', tx.mandant)
    .where('empfangen_am', '<', instant)
    .executeTakeFirst();
  await tx
    .deleteFrom('otlp_aufrufe')
    .where('mandant_id', '=', tx.mandant)
    .where('geaendert_am', '<', instant)
    .execute();
  return Number(traces.numDeletedRows);
}
