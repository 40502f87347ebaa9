/** The signing keys, for the command line: shown, rotated, withdrawn. */
import type { JWK } from 'jose';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import { askAsOwner } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { SecretBox } from '#platform/secret-box.ts';
import { activeKey, noSuchKey } from '../errors.ts';
import { createKeyring, newSealedKey } from '../keyring.ts';

type Client = Parameters<Parameters<OwnerDatabase['transaction']>[0]>[0];

/** A key as it is shown. */
export interface Schluesselstand {
  kid: string;
  status: 'aktiv' | 'prüft noch' | 'zurückgezogen';
  erstellt_am: string;
  zurueckgezogen_am: string | null;
  /** Licences that were signed with it, are not blocked and have not run out. */
  lizenzen: number;
  /** The public half; null of a withdrawn one. */
  jwk: JWK | null;
}

const ROWS =
  'SELECT nummer, kid, aktiv, erstellt_am, zurueckgezogen_am FROM lizenz_schluessel ORDER BY nummer';
const IN_USE = `SELECT kid, count(*)::int AS anzahl FROM lizenzen l
  WHERE (gueltig_bis IS NULL OR gueltig_bis > $1) AND NOT EXISTS (SELECT FROM lizenz_sperren s WHERE s.lizenz_id = l.lizenz_id)
  GROUP BY kid`;

interface Row {
  nummer: number;
  kid: string | null;
  aktiv: boolean;
  erstellt_am: string;
  zurueckgezogen_am: string | null;
}

/** All keys there ever were, the oldest first; makes the first one. */
export async function listKeys(client: Client, secrets: SecretBox, now: Date): Promise<Schluesselstand[]> {
  const open = await createKeyring(secrets)(askAsOwner(client));
  const { rows } = await client.query<Row>(ROWS);
  const inUse = await client.query<{ kid: string; anzahl: number }>(IN_USE, [now.toISOString()]);
  return rows.map(({ nummer, aktiv, erstellt_am, zurueckgezogen_am, kid }) => {
    const key = open.find((each) => each.nummer === nummer);
    const name = key?.kid ?? kid ?? '';
    return {
      kid: name,
      status: aktiv ? 'aktiv' : zurueckgezogen_am === null ? 'prüft noch' : 'zurückgezogen',
      erstellt_am: toInstant(erstellt_am),
      zurueckgezogen_am: toInstantOrNull(zurueckgezogen_am),
      lizenzen: inUse.rows.find((each) => each.kid === name)?.anzahl ?? 0,
      jwk: key?.jwk ?? null,
    };
  });
}

const LOCK = 'LOCK TABLE lizenz_schluessel IN SHARE ROW EXCLUSIVE MODE';
const RETIRE = 'UPDATE lizenz_schluessel SET aktiv = false WHERE aktiv';
const ADD = `INSERT INTO lizenz_schluessel (nummer, verschluesselt, aktiv, erstellt_am)
  SELECT coalesce(max(nummer), 0) + 1, $1, true, $2 FROM lizenz_schluessel`;

/** Makes a new key that signs from now on; the others go on vouching for what they signed. Resolves with both, by name. */
export async function rotateKey(
  client: Client,
  secrets: SecretBox,
  now: Date,
): Promise<{ vorher: Schluesselstand; nachher: Schluesselstand }> {
  const before = (await listKeys(client, secrets, now)).find(({ status }) => status === 'aktiv');
  await client.query(LOCK);
  await client.query(RETIRE);
  await client.query(ADD, [await newSealedKey(secrets), now.toISOString()]);
  const after = (await listKeys(client, secrets, now)).find(({ status }) => status === 'aktiv');
  return { vorher: before as Schluesselstand, nachher: after as Schluesselstand };
}

const WITHDRAW = `UPDATE lizenz_schluessel SET verschluesselt = NULL, kid = $2, zurueckgezogen_am = $3 WHERE nummer = $1`;

/**
 * Withdraws a key: nothing is signed with it any more, and its private half is destroyed. Throws 404 for one that is not there or
 * withdrawn, 409 for the active one. Resolves with how it stood.
 */
export async function withdrawKey(
  client: Client,
  secrets: SecretBox,
  kid: string,
  now: Date,
): Promise<Schluesselstand> {
  await client.query(LOCK);
  const key = (await createKeyring(secrets)(askAsOwner(client))).find((each) => each.kid === kid);
  if (!key) throw noSuchKey();
  if (key.aktiv) throw activeKey();
  const before = (await listKeys(client, secrets, now)).find((each) => each.kid === kid);
  await client.query(WITHDRAW, [key.nummer, kid, now.toISOString()]);
  return before as Schluesselstand;
}
