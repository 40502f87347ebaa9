/**
 * Operators of the installation. They stand above every Mandant, so no request names them: only the command line and
 * the configuration at start, both as the owner of the database.
 */
import type pg from 'pg';
import {
  type Acting,
  actAsOperator,
  asSeenByMandant,
  type Done,
  recordChange,
} from '#domains/protokoll/index.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { continueAsMandant } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { lockUserOfAddress, type UserOfAddress } from './user-of-address.ts';

/** `geaendert`: whether it was the other way before. */
export type OperatorCandidate = UserOfAddress & { geaendert: boolean };

interface Change extends Acting {
  email: string;
}

/** `onlyProven`: leaves a user as before whose address is not proven; for operators who do not see whom they name. */
type Naming = Change & { onlyProven?: boolean };

/** How one becomes an operator, or no longer is one. */
interface Way {
  sql: string;
  aktion: string;
  betreiber: boolean;
}

async function changeUser(
  client: pg.PoolClient,
  { email, akteur, now, onlyProven = false }: Naming,
  { sql, aktion, betreiber }: Way,
): Promise<Done<OperatorCandidate | null>> {
  const user = await lockUserOfAddress(client, email);
  if (!user || (betreiber && !user.aktiv)) return { result: null, act: null };
  if (onlyProven && !user.bestaetigt) return { result: { ...user, geaendert: false }, act: null };
  const { mandant, benutzerId } = user;
  const { rowCount } = await client.query(sql, [mandant, benutzerId]);
  const candidate = { ...user, betreiber, geaendert: rowCount === 1 };
  if (!candidate.geaendert) return { result: candidate, act: null };
  // A session that began with fewer rights, perhaps in another way, must not have more of a sudden.
  await client.query('DELETE FROM sitzungen WHERE mandant_id = $1 AND benutzer_id = $2', [
    mandant,
    benutzerId,
  ]);
  const objekt = { art: 'benutzer', id: benutzerId };
  const change = { aktion, vorher: { betreiber: !betreiber }, nachher: { betreiber } };
  await recordChange(await continueAsMandant(client, mandant), mandant, now, {
    ...change,
    akteur: asSeenByMandant(akteur),
    objekt: { ...objekt, name: user.email },
  });
  return { result: candidate, act: { ...change, mandant, objekt } };
}

const change = (db: OwnerDatabase, naming: Naming, way: Way): Promise<OperatorCandidate | null> =>
  actAsOperator(db, naming, (owner) => owner.transaction((client) => changeUser(client, naming, way)));

/** Makes an active user an operator and ends that user's sessions; null when there is no such user. */
export const nameOperator = (db: OwnerDatabase, request: Naming): Promise<OperatorCandidate | null> =>
  change(db, request, {
    sql: 'INSERT INTO betreiber (mandant_id, benutzer_id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    aktion: 'betreiber.ernannt',
    betreiber: true,
  });

/** Makes an operator an ordinary user again and ends that user's sessions; null when there is no such user. */
export const dismissOperator = (db: OwnerDatabase, request: Change): Promise<OperatorCandidate | null> =>
  change(db, request, {
    sql: 'DELETE FROM betreiber WHERE mandant_id = $1 AND benutzer_id = $2',
    aktion: 'betreiber.entlassen',
    betreiber: false,
  });

const ADDRESSES = `SELECT b.mandant_id, b.email FROM betreiber o JOIN benutzer b USING (mandant_id, benutzer_id)
  JOIN mandanten m USING (mandant_id)
  WHERE b.aktiv AND m.status = 'aktiv' AND b.email_bestaetigt_am IS NOT NULL AND b.email_verloren_am IS NULL
  ORDER BY b.email`;

/** Where operators who may sign in can be told something: proven addresses only. */
export async function readOperatorAddresses(
  client: Pick<pg.ClientBase, 'query'>,
): Promise<{ mandant: MandantId; email: string }[]> {
  const { rows } = await client.query<{ mandant_id: string; email: string }>(ADDRESSES);
  return rows.map(({ mandant_id, email }) => ({ mandant: mandantId(mandant_id), email }));
}
