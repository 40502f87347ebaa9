/**
 * Operators of the installation. They stand above every Mandant, so no request names them: only the command line and
 * the configuration at start, both as the owner of the database.
 */
import type pg from 'pg';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { continueAsMandant } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';

/** The user an address belongs to. */
export interface OperatorCandidate {
  mandant: MandantId;
  benutzerId: string;
  email: string;
  firma: string;
  /** Whether login asks for a code. */
  zweiterFaktor: boolean;
  /** Whether anything changed: it was the other way before. */
  geaendert: boolean;
}

/** Held: a login under way comes wholly before the change, or wholly after it. */
const FIND = `
  SELECT b.mandant_id, b.benutzer_id, b.email, m.firma, b.aktiv AND m.status = 'aktiv' AS aktiv,
    EXISTS (SELECT FROM zweite_faktoren f WHERE f.mandant_id = b.mandant_id AND f.benutzer_id = b.benutzer_id
      AND f.bestaetigt_am IS NOT NULL) AS zweiter_faktor
  FROM benutzer b JOIN mandanten m USING (mandant_id) WHERE zw_adresse(b.email) = zw_adresse($1)
  FOR UPDATE OF b`;

async function find(client: pg.PoolClient, email: string) {
  const { rows } = await client.query<{
    mandant_id: string;
    benutzer_id: string;
    email: string;
    firma: string;
    aktiv: boolean;
    zweiter_faktor: boolean;
  }>(FIND, [email]);
  return rows[0];
}

interface Change {
  email: string;
  akteur: Akteur;
  now: Date;
}

async function change(
  db: OwnerDatabase,
  { email, akteur, now }: Change,
  { sql, aktion, betreiber }: { sql: string; aktion: string; betreiber: boolean },
): Promise<OperatorCandidate | null> {
  return db.transaction(async (client) => {
    const user = await find(client, email);
    if (!user || (betreiber && !user.aktiv)) return null;
    const mandant = mandantId(user.mandant_id);
    const { rowCount } = await client.query(sql, [mandant, user.benutzer_id]);
    const candidate = {
      mandant,
      benutzerId: user.benutzer_id,
      email: user.email,
      firma: user.firma,
      zweiterFaktor: user.zweiter_faktor,
      geaendert: rowCount === 1,
    };
    if (!candidate.geaendert) return candidate;
    // A session that began with fewer rights, perhaps in another way, must not have more of a sudden.
    await client.query('DELETE FROM sitzungen WHERE mandant_id = $1 AND benutzer_id = $2', [
      mandant,
      user.benutzer_id,
    ]);
    await recordChange(await continueAsMandant(client, mandant), mandant, now, {
      akteur,
      aktion,
      objekt: { art: 'benutzer', id: user.benutzer_id, name: user.email },
      vorher: { betreiber: !betreiber },
      nachher: { betreiber },
    });
    return candidate;
  });
}

/** Makes an active user an operator and ends that user's sessions; null when there is no such user. */
export const nameOperator = (db: OwnerDatabase, request: Change): Promise<OperatorCandidate | null> =>
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
