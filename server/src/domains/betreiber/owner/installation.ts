/** How the installation stands, for its operators: of all Mandanten together. As the owner. */
import type pg from 'pg';
import { toCount } from '#kernel/count.ts';

type Count = string | number;

interface MandantCount {
  status: 'aktiv' | 'gekündigt';
  paket: string;
  anzahl: number;
}

interface Waiting {
  stapel: Count;
  ereignisse: Count;
  aelteste_sekunden: number | null;
  unzaehlbar: Count;
  mails: Count;
  bytes: Count;
  ereignisse_ab: string | null;
}

const MANDANTEN = `SELECT status, paket, count(*)::int AS anzahl FROM mandanten GROUP BY status, paket ORDER BY paket, status`;
const WAITING = `SELECT e.stapel, e.ereignisse, e.aelteste_sekunden,
    (SELECT count(*) FROM eingang_unzaehlbar) AS unzaehlbar, (SELECT count(*) FROM postausgang) AS mails,
    pg_database_size(current_database()) AS bytes,
    (SELECT to_char(ereignisse_ab AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM aufbewahrung) AS ereignisse_ab
  FROM (SELECT count(*) AS stapel, coalesce(sum(anzahl), 0)::bigint AS ereignisse,
      extract(epoch FROM now() - min(empfangen_am))::float8 AS aelteste_sekunden FROM eingang) AS e`;
const JOBS = `SELECT job, count(*) FILTER (WHERE aufgegeben_am IS NULL)::int AS wartend,
    count(*) FILTER (WHERE aufgegeben_am IS NULL AND fehler IS NOT NULL)::int AS fehlgeschlagen,
    count(*) FILTER (WHERE aufgegeben_am IS NOT NULL)::int AS aufgegeben,
    coalesce(floor(extract(epoch FROM now() - min(faellig_am) FILTER (WHERE aufgegeben_am IS NULL AND faellig_am <= now()))), 0)::int
      AS aelteste_sekunden
  FROM auftraege GROUP BY job ORDER BY job LIMIT 200`;

export interface JobStand {
  job: string;
  wartend: number;
  /** Waiting ones whose last attempt failed. */
  fehlgeschlagen: number;
  aufgegeben: number;
  aelteste_sekunden: number;
}

/** Which Mandanten there are, by status and package as stored. */
export const countMandanten = async (client: pg.PoolClient): Promise<MandantCount[]> =>
  (await client.query<MandantCount>(MANDANTEN)).rows;

/** The ids of all Mandanten. */
export const listIds = async (client: pg.PoolClient): Promise<string[]> =>
  (await client.query<{ mandant_id: string }>('SELECT mandant_id FROM mandanten')).rows.map(
    (row) => row.mandant_id,
  );

export const readJobs = async (client: pg.PoolClient): Promise<JobStand[]> =>
  (await client.query<JobStand>(JOBS)).rows;

/** What waits: batches, mails; what cannot be counted; how large the database is, from when on it has events. */
export async function readWaiting(client: pg.PoolClient) {
  const { rows } = await client.query<Waiting>(WAITING);
  const row = rows[0] as Waiting;
  return {
    eingang: {
      stapel: toCount(row.stapel),
      ereignisse: toCount(row.ereignisse),
      aelteste_sekunden:
        row.aelteste_sekunden === null ? null : Math.max(0, Math.floor(row.aelteste_sekunden)),
    },
    unzaehlbare_stapel: toCount(row.unzaehlbar),
    mails_wartend: toCount(row.mails),
    datenbank_bytes: toCount(row.bytes),
    ereignisse_ab: row.ereignisse_ab,
  };
}
