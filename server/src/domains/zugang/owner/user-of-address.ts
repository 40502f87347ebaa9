/** The user an address belongs to, whatever the Mandant: for those who run the installation, as the owner. */
import type pg from 'pg';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';

export interface UserOfAddress {
  mandant: MandantId;
  benutzerId: string;
  email: string;
  firma: string;
  /** Whether the user may sign in. */
  aktiv: boolean;
  betreiber: boolean;
  /** Whether the address is proven to be the user's. */
  bestaetigt: boolean;
  /** Whether login asks for a code. */
  zweiterFaktor: boolean;
}

/** First the Mandant, as everybody does who changes its users: it is not removed meanwhile. */
const HOLD_MANDANT = `
  SELECT FROM mandanten WHERE mandant_id = (SELECT mandant_id FROM zw_adresse_finden($1))
  FOR NO KEY UPDATE`;

/** Held: a login under way comes wholly before the change, or wholly after it. */
const FIND = `
  SELECT b.mandant_id, b.benutzer_id AS "benutzerId", b.email, m.firma, b.aktiv AND m.status = 'aktiv' AS aktiv, b.email_bestaetigt_am IS NOT NULL AS bestaetigt,
    EXISTS (SELECT FROM betreiber o WHERE o.mandant_id = b.mandant_id AND o.benutzer_id = b.benutzer_id) AS betreiber,
    EXISTS (SELECT FROM zweite_faktoren f WHERE f.mandant_id = b.mandant_id AND f.benutzer_id = b.benutzer_id
      AND f.bestaetigt_am IS NOT NULL) AS "zweiterFaktor"
  FROM benutzer b JOIN mandanten m USING (mandant_id) WHERE zw_adresse(b.email) = zw_adresse($1) AND b.email_verloren_am IS NULL
  FOR UPDATE OF b`;

/** The user, locked until the end of the transaction, in any spelling of the address; null when there is none. */
export async function lockUserOfAddress(client: pg.PoolClient, email: string): Promise<UserOfAddress | null> {
  await client.query(HOLD_MANDANT, [email]);
  const { rows } = await client.query<Omit<UserOfAddress, 'mandant'> & { mandant_id: string }>(FIND, [email]);
  const [row] = rows;
  if (!row) return null;
  const { mandant_id, ...user } = row;
  return { mandant: mandantId(mandant_id), ...user };
}
