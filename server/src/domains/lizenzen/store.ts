import { toCount } from '#kernel/count.ts';
import { toInstant } from '#kernel/instant.ts';
import type { RequestDatabase } from '#platform/database/index.ts';

export interface LizenzSperre {
  lizenz_id: string;
  fingerabdruck: string;
  gesperrt_am: string;
  grund: string;
}

export interface SperrlisteRows {
  nummer: number;
  sperren: LizenzSperre[];
}

// One statement, one snapshot: the number belongs to exactly these rows.
const LIST = `
  SELECT stand.nummer, s.lizenz_id, s.fingerabdruck, s.gesperrt_am, s.grund
  FROM sperrliste_stand stand LEFT JOIN lizenz_sperren s ON true
  ORDER BY s.gesperrt_am, s.lizenz_id`;

/** The list, oldest entry first, with its number. */
export async function readSperrliste(db: RequestDatabase): Promise<SperrlisteRows> {
  const { rows } = await db.transaction((client) =>
    client.query<{ nummer: number | string } & { [K in keyof LizenzSperre]: string | null }>(LIST),
  );
  const sperren = rows.flatMap(({ lizenz_id, fingerabdruck, gesperrt_am, grund }) =>
    lizenz_id && fingerabdruck !== null && gesperrt_am && grund !== null
      ? [{ lizenz_id, fingerabdruck, gesperrt_am: toInstant(gesperrt_am), grund }]
      : [],
  );
  return { nummer: toCount(rows[0]?.nummer ?? 0), sperren };
}

/** The sealed signing key; a proposal is stored if there is none yet, and the stored one returned. */
export async function readSigningKey(db: RequestDatabase, proposal: Buffer | null): Promise<Buffer | null> {
  const { rows } = await db.transaction((client) =>
    client.query<{ sealed: Buffer | null }>('SELECT zw_sperrliste_schluessel($1) AS sealed', [proposal]),
  );
  return rows[0]?.sealed ?? null;
}
