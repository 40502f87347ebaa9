/** SQL of logins under way and of users at their provider. Instants go in and come out as ISO 8601 in UTC. */
import { sql } from 'kysely';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import type { MandantTx, RequestClient } from '#platform/database/index.ts';

export interface Vorgang {
  /** Hash of `state`. */
  hash: Buffer;
  /** Hash of the browser's cookie. */
  browser: Buffer;
  /** What the return must fit, sealed. */
  geheimnis: Buffer;
  gueltig_bis: string;
}

/** Remembers a login and forgets those that came to nothing. False when the provider was removed meanwhile. */
export async function insertVorgang(
  tx: MandantTx,
  { hash, browser, geheimnis, gueltig_bis }: Vorgang,
  now: string,
): Promise<boolean> {
  await sql`DELETE FROM sso_vorgaenge WHERE gueltig_bis <= ${now}`.execute(tx);
  const { numAffectedRows } = await sql`
    INSERT INTO sso_vorgaenge (mandant_id, hash, browser, geheimnis, gueltig_bis)
    SELECT mandant_id, ${hash}, ${browser}, ${geheimnis}, ${gueltig_bis} FROM sso_anbieter FOR SHARE`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** Takes a login out, whatever its age: of two returns with the same `state` one gets it. */
export async function takeVorgang(
  client: RequestClient,
  hash: Buffer,
): Promise<(Vorgang & { mandant: MandantId }) | null> {
  const { rows } = await client.query<{ mandant_id: string }>('SELECT * FROM zw_sso_vorgang_finden($1)', [
    hash,
  ]);
  if (!rows[0]) return null;
  const mandant = mandantId(rows[0].mandant_id);
  await client.bind(mandant);
  const taken = await client.query<Vorgang>(
    'DELETE FROM sso_vorgaenge WHERE hash = $1 RETURNING hash, browser, geheimnis, gueltig_bis',
    [hash],
  );
  return taken.rows[0] ? { ...taken.rows[0], mandant } : null;
}

/** Id of the user who is known by this subject of the issuer. */
export async function findIdentitaet(
  tx: MandantTx,
  issuer: string,
  subject: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ benutzer_id: string }>`
    SELECT benutzer_id FROM sso_identitaeten WHERE issuer = ${issuer} AND subject = ${subject}`.execute(tx);
  return rows[0]?.benutzer_id;
}

export async function insertIdentitaet(
  tx: MandantTx,
  mandant: MandantId,
  identitaet: { issuer: string; subject: string; benutzerId: string; now: string },
): Promise<void> {
  const { issuer, subject, benutzerId, now } = identitaet;
  await sql`
    INSERT INTO sso_identitaeten (mandant_id, issuer, subject, benutzer_id, erstellt_am)
    VALUES (${mandant}, ${issuer}, ${subject}, ${benutzerId}, ${now})`.execute(tx);
}

/** The Mandant's user with an address, disabled ones too, and whether the issuer knows this user by some subject. */
export async function findByEmail(
  tx: MandantTx,
  email: string,
  issuer: string,
): Promise<{ benutzer_id: string; verknuepft: boolean } | undefined> {
  const { rows } = await sql<{ benutzer_id: string; verknuepft: boolean }>`
    SELECT b.benutzer_id, EXISTS (SELECT FROM sso_identitaeten i
      WHERE i.benutzer_id = b.benutzer_id AND i.issuer = ${issuer}) AS verknuepft
    FROM benutzer b WHERE zw_adresse(b.email) = zw_adresse(${email})`.execute(tx);
  return rows[0];
}
