/**
 * SQL of leaving, bound to one Mandant. It reaches into the tables of other slices, because leaving ends everything they
 * hold. Instants go in and come out as ISO 8601 in UTC.
 */
import type { MandantTx } from '#platform/database/index.ts';

export interface LeavingRow {
  firma: string;
  zeitzone: string;
  status: 'aktiv' | 'gekündigt';
  gekuendigt_am: string | null;
  /** How far leaving has got after the cancellation; null for not yet reminded. */
  loeschung: 'erinnert' | 'begonnen' | null;
}

/** The Mandant, locked until the end of the transaction; undefined when it is gone. */
export function lockLeaving(tx: MandantTx): Promise<LeavingRow | undefined> {
  return tx
    .selectFrom('mandanten')
    .select(['firma', 'zeitzone', 'status', 'gekuendigt_am', 'loeschung'])
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function updateLeaving(
  tx: MandantTx,
  columns: Partial<Pick<LeavingRow, 'status' | 'gekuendigt_am' | 'loeschung'>>,
): Promise<void> {
  await tx.updateTable('mandanten').set(columns).execute();
}

/** Blocks every key that is not blocked yet; resolves with how many. */
export async function blockAllKeys(tx: MandantTx, now: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('schluessel')
    .set({ gesperrt_am: now })
    .where('gesperrt_am', 'is', null)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Lets the keys go that were blocked at exactly this instant; resolves with how many. */
export async function unblockKeys(tx: MandantTx, blockedAt: string): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('schluessel')
    .set({ gesperrt_am: null })
    .where('gesperrt_am', '=', blockedAt)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Removes every session; resolves with how many. */
export async function deleteSessions(tx: MandantTx): Promise<number> {
  const { numDeletedRows } = await tx.deleteFrom('sitzungen').executeTakeFirst();
  return Number(numDeletedRows);
}

/** Removes what could still open a door later: invitations, reset links, logins on their way. */
export async function deleteOpenDoors(tx: MandantTx): Promise<void> {
  for (const table of [
    'einladungen',
    'passwort_ruecksetzungen',
    'email_bestaetigungen',
    'sso_vorgaenge',
  ] as const)
    await tx.deleteFrom(table).execute();
}

/** Addresses of the active users who run the account. */
export async function listResponsible(tx: MandantTx): Promise<string[]> {
  const rows = await tx
    .selectFrom('benutzer')
    .select('email')
    .where('aktiv', '=', true)
    .where('email_verloren_am', 'is', null)
    .where('rolle', 'in', ['inhaber', 'verwalter'])
    .orderBy('email')
    .execute();
  return rows.map(({ email }) => email);
}
