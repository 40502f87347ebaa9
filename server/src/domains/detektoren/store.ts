/** SQL of looks back, for requests. */
import { sql } from 'kysely';
import type { RegelVon } from '#domains/regeln/index.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Ergebnis } from './rueckblick/bilanz.ts';

export interface RueckblickRow {
  rueckblick_id: string;
  status: 'wartet' | 'laeuft' | 'fertig' | 'fehlgeschlagen';
  von: string;
  bis: string;
  tage_fertig: number;
  laeuft_ab_am: string;
  ergebnis: Ergebnis | null;
}

export interface NewRueckblick {
  rueckblick_id: string;
  regel: RegelVon;
  zeitzone: string;
  /** Local days, both included. */
  von: string;
  bis: string;
  now: Date;
  laeuft_ab_am: Date;
}

const COLUMNS = sql`rueckblick_id, status, von::text AS von, bis::text AS bis, tage_fertig, laeuft_ab_am, ergebnis`;

/** How many wait or are under way. */
export async function countOpen(tx: MandantTx, now: Date): Promise<number> {
  const { rows } = await sql<{ n: string }>`
    SELECT count(*) AS n FROM rueckblicke
    WHERE mandant_id = ${tx.mandant} AND status IN ('wartet', 'laeuft') AND laeuft_ab_am > ${now}`.execute(
    tx,
  );
  return Number(rows[0]?.n);
}

export async function insertRueckblick(tx: MandantTx, row: NewRueckblick): Promise<void> {
  await sql`
    INSERT INTO rueckblicke (mandant_id, rueckblick_id, regel, zeitzone, von, bis, status, angelegt_am, laeuft_ab_am)
    VALUES (${tx.mandant}, ${row.rueckblick_id}, ${JSON.stringify(row.regel)}::jsonb, ${row.zeitzone}, ${row.von}, ${row.bis},
      'wartet', ${row.now}, ${row.laeuft_ab_am})`.execute(tx);
}

/** Undefined where there is none, or its time is over. */
export async function readRueckblick(
  tx: MandantTx,
  id: string,
  now: Date,
): Promise<RueckblickRow | undefined> {
  const { rows } = await sql<RueckblickRow>`
    SELECT ${COLUMNS} FROM rueckblicke
    WHERE mandant_id = ${tx.mandant} AND rueckblick_id = ${id} AND laeuft_ab_am > ${now}`.execute(tx);
  return rows[0];
}

/** Removes it, which ends it, too; undefined as above. */
export async function deleteRueckblick(
  tx: MandantTx,
  id: string,
  now: Date,
): Promise<RueckblickRow | undefined> {
  const row = await readRueckblick(tx, id, now);
  const { rows } = await sql`
    DELETE FROM rueckblicke
    WHERE mandant_id = ${tx.mandant} AND rueckblick_id = ${id} AND laeuft_ab_am > ${now} RETURNING 1`.execute(
    tx,
  );
  return rows.length > 0 ? row : undefined;
}

/** Removes those whose time is over; resolves with how many. */
export async function deleteExpired(tx: MandantTx, now: Date): Promise<number> {
  const { rows } = await sql`
    DELETE FROM rueckblicke WHERE mandant_id = ${tx.mandant} AND laeuft_ab_am <= ${now} RETURNING 1`.execute(
    tx,
  );
  return rows.length;
}
