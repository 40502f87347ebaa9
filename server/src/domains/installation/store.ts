/** SQL of requests: what this installation remembers of its licence. Instants go out as ISO 8601 in UTC. */
import { sql } from 'kysely';
import { toCount } from '#kernel/count.ts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Sperrliste } from './list.ts';
import type { Gemerkt, Hindernis } from './rules.ts';

/** What is remembered; of the list nothing but how fetching it went where none is known. */
export interface Erinnerung extends Omit<Gemerkt, 'seit' | 'zuletzt_am'> {
  /** Null before the licence was noted. */
  einsatz: Pick<Gemerkt, 'seit' | 'zuletzt_am'> | null;
  liste: (Pick<Sperrliste, 'nummer' | 'sperren' | 'ausgestellt_am'> & { kid: string }) | null;
}

/** What is remembered of the list and of the licence with the fingerprint. */
export async function readErinnerung(tx: MandantTx, fingerabdruck: string): Promise<Erinnerung> {
  const row = await tx
    .selectFrom('sperrliste_bekannt as s')
    .leftJoin('lizenz_einsaetze as e', (join) => join.on('e.fingerabdruck', '=', fingerabdruck))
    .selectAll('s')
    .select(['e.seit', 'e.zuletzt_am'])
    .executeTakeFirstOrThrow();
  const { seit, zuletzt_am, nummer, ausgestellt_am, kid } = row;
  return {
    erreicht_am: toInstantOrNull(row.erreicht_am),
    versucht_am: toInstantOrNull(row.versucht_am),
    hindernis: row.hindernis as Hindernis | null,
    einsatz: seit && zuletzt_am ? { seit: toInstant(seit), zuletzt_am: toInstant(zuletzt_am) } : null,
    liste:
      nummer !== null && ausgestellt_am && kid
        ? {
            nummer: toCount(nummer) as number,
            ausgestellt_am: toInstant(ausgestellt_am),
            kid,
            sperren: row.sperren as Sperrliste['sperren'],
          }
        : null,
  };
}

/** How many Mandanten have not cancelled, of all there are. */
export async function countMandanten(tx: MandantTx): Promise<number> {
  const { rows } = await sql<{ anzahl: number | string }>`SELECT anzahl FROM zw_mandanten_anzahl()`.execute(
    tx,
  );
  return Number(rows[0]?.anzahl);
}

/** Until the end of the transaction nobody else puts in a Mandant whose number counts. */
export async function lockMandantenPlaetze(tx: MandantTx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('zaehlwerk.mandantenplaetze'))`.execute(tx);
}
