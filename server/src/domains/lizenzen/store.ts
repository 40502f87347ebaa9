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

/** The list, oldest entry first, with its number. */
export async function readSperrliste(db: RequestDatabase): Promise<SperrlisteRows> {
  // One statement, one snapshot: the number belongs to exactly these rows.
  const rows = await db.transaction((client) =>
    client
      .selectFrom('sperrliste_stand as l')
      .leftJoin('lizenz_sperren as s', (join) => join.onTrue())
      .select(['l.nummer', 's.lizenz_id', 's.fingerabdruck', 's.gesperrt_am', 's.grund'])
      .orderBy('s.gesperrt_am')
      .orderBy('s.lizenz_id')
      .execute(),
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
  const { sealed } = await db.transaction((client) =>
    client
      .selectNoFrom(({ fn, val }) =>
        fn<Buffer | null>('zw_sperrliste_schluessel', [val(proposal)]).as('sealed'),
      )
      .executeTakeFirstOrThrow(),
  );
  return sealed;
}
