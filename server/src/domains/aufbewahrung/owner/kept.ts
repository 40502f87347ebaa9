/** SQL of how long events are kept. Runs as the owner. Instants as ISO 8601 in UTC. */
import type { Paketstand } from '#domains/mandant/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

export interface Kept {
  /** Events dated before are refused; null: none is too old. */
  annahme_ab: string | null;
  /** From when on all events are there; null: none were removed. */
  ereignisse_ab: string | null;
  /** The day (UTC) since which ids are remembered; null: all are. */
  kennungen_ab: string | null;
}

const utc = (column: string) =>
  `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') AS ${column}`;

export async function readKept(owner: OwnerDatabase): Promise<Kept> {
  const { rows } = await owner.query<Kept>(
    `SELECT ${utc('annahme_ab')}, ${utc('ereignisse_ab')}, kennungen_ab::text FROM aufbewahrung`,
  );
  return rows[0] as Kept;
}

/** What Mandanten have, each kind once. */
export async function readPackages(owner: OwnerDatabase): Promise<Paketstand[]> {
  const { rows } = await owner.query<Paketstand>(
    'SELECT DISTINCT paket, paket_bis, paket_quelle FROM mandanten',
  );
  return rows;
}

/** Has events before `from` refused from now on, all of them accepted where it is null. */
export async function setAcceptedFrom(owner: OwnerDatabase, from: string | null): Promise<void> {
  await owner.query(
    'UPDATE aufbewahrung SET annahme_ab = $1, annahme_seit = now() WHERE annahme_ab IS DISTINCT FROM $1::timestamptz',
    [from],
  );
}

/** Notes that events before are removed, before any of them is. */
export async function setRemovedBefore(owner: OwnerDatabase, before: string): Promise<void> {
  await owner.query('UPDATE aufbewahrung SET ereignisse_ab = $1', [before]);
}

export async function setForgottenBefore(owner: OwnerDatabase, day: string): Promise<void> {
  await owner.query('UPDATE aufbewahrung SET kennungen_ab = $1', [day]);
}

/**
 * What may still need events before an instant ($1), by name. A batch that waits was accepted by what held when it came; one that
 * cannot be counted may be some day. A local day may reach a day beyond the instant, wherever it is.
 */
const NEEDS: Record<string, string> = {
  'they are refused for less than a day': `SELECT FROM aufbewahrung
    WHERE annahme_seit > now() - interval '1 day' AND $1::timestamptz IS NOT NULL`,
  'batches wait to be counted': `SELECT FROM eingang
    WHERE empfangen_am < (SELECT annahme_seit + interval '1 hour' FROM aufbewahrung) AND $1::timestamptz IS NOT NULL`,
  'batches cannot be counted': `SELECT FROM eingang_unzaehlbar
    WHERE empfangen_am < (SELECT annahme_seit + interval '1 hour' FROM aufbewahrung) AND $1::timestamptz IS NOT NULL`,
  'calls are being imported or taken back': `SELECT FROM importe
    WHERE status IN ('laeuft', 'ruecknahme') AND von < $1::timestamptz`,
  'calls are being priced anew': `SELECT FROM neubepreisungen
    WHERE status IN ('vorschau', 'laeuft') AND von <= ($1::timestamptz AT TIME ZONE 'UTC')::date`,
};

/** Why events before the instant cannot be removed yet; null when they can. */
export async function whyNeeded(owner: OwnerDatabase, before: string): Promise<string | null> {
  for (const [reason, select] of Object.entries(NEEDS)) {
    const { rowCount } = await owner.query(`${select} LIMIT 1`, [before]);
    if (rowCount) return reason;
  }
  return null;
}

/** Removes the oldest month of events before the instant; resolves with its table, null when there is none. Throws 55P03 where it is in use. */
export function removeMonth(owner: OwnerDatabase, before: string): Promise<string | null> {
  return owner.transaction(async (client) => {
    // A later one waits behind it.
    await client.query(`SET LOCAL lock_timeout = '3s'`);
    const { rows } = await client.query<{ teil: string | null }>('SELECT zw_monat_entfernen($1) AS teil', [
      before,
    ]);
    return rows[0]?.teil ?? null;
  });
}

const AT_ONCE = 5_000;

const REMOVE_EVENTS = `DELETE FROM ereignisse e USING (
    SELECT zeitpunkt, ereignis_id FROM ereignisse WHERE mandant_id = $1 AND zeitpunkt < $2
    ORDER BY zeitpunkt, ereignis_id LIMIT ${AT_ONCE}) AS weg
  WHERE e.mandant_id = $1 AND e.zeitpunkt < $2 AND e.zeitpunkt = weg.zeitpunkt AND e.ereignis_id = weg.ereignis_id`;

/** Removes what else a Mandant has before the instant: months that never had a partition. Resolves with how many events. */
export async function removeOlder(owner: OwnerDatabase, mandant: string, before: string): Promise<number> {
  for (let removed = 0; ; ) {
    const { rowCount } = await owner.query(REMOVE_EVENTS, [mandant, before]);
    removed += rowCount ?? 0;
    if ((rowCount ?? 0) < AT_ONCE) return removed;
  }
}

// By the key, page by page: a month is a small part of the ids, and no index tells which.
const PAGE = `SELECT max(ereignis_id::text) AS letzte, count(*)::int AS gelesen FROM (
    SELECT ereignis_id FROM ereignis_kennungen WHERE mandant_id = $1 AND ereignis_id > $2::uuid
    ORDER BY ereignis_id LIMIT ${AT_ONCE}) AS seite`;
const FORGET = `DELETE FROM ereignis_kennungen
  WHERE mandant_id = $1 AND ereignis_id > $2::uuid AND ereignis_id <= $3::uuid AND gezaehlt_am < $4::date`;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** Forgets the ids that a Mandant's events had which were counted before that day (UTC); resolves with how many. */
export async function forgetIds(owner: OwnerDatabase, mandant: string, day: string): Promise<number> {
  let forgotten = 0;
  for (let after = BEFORE_ALL; ; ) {
    const { rows } = await owner.query<{ letzte: string | null; gelesen: number }>(PAGE, [mandant, after]);
    const { letzte = null, gelesen = 0 } = rows[0] ?? {};
    if (letzte === null) return forgotten;
    const { rowCount } = await owner.query(FORGET, [mandant, after, letzte, day]);
    forgotten += rowCount ?? 0;
    if (gelesen < AT_ONCE) return forgotten;
    after = letzte;
  }
}
