/** SQL of logins under way and of users at their provider. Instants go in and come out as ISO 8601 in UTC. */
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
  await tx.deleteFrom('sso_vorgaenge').where('gueltig_bis', '<=', now).execute();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('sso_vorgaenge')
    .columns(['mandant_id', 'hash', 'browser', 'geheimnis', 'gueltig_bis'])
    .expression((eb) =>
      eb
        .selectFrom('sso_anbieter')
        .select(['mandant_id', eb.val(hash).as('hash'), eb.val(browser).as('browser')])
        .select([eb.val(geheimnis).as('geheimnis'), eb.val(gueltig_bis).as('gueltig_bis')])
        .forShare(),
    )
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Takes a login out, whatever its age: of two returns with the same `state` one gets it. */
export async function takeVorgang(
  client: RequestClient,
  hash: Buffer,
): Promise<(Vorgang & { mandant: MandantId }) | null> {
  const found = await client.ask('zw_sso_vorgang_finden', hash);
  if (!found) return null;
  const mandant = mandantId(found.mandant_id);
  const tx = await client.bind(mandant);
  const taken = await tx
    .deleteFrom('sso_vorgaenge')
    .where('hash', '=', hash)
    .returning(['hash', 'browser', 'geheimnis', 'gueltig_bis'])
    .executeTakeFirst();
  return taken ? { ...taken, mandant } : null;
}

/** Id of the user who is known by this subject of the issuer. */
export async function findIdentitaet(
  tx: MandantTx,
  issuer: string,
  subject: string,
): Promise<string | undefined> {
  const row = await tx
    .selectFrom('sso_identitaeten')
    .select('benutzer_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return row?.benutzer_id;
}

export async function insertIdentitaet(
  tx: MandantTx,
  mandant: MandantId,
  identitaet: { issuer: string; subject: string; benutzerId: string; now: string },
): Promise<void> {
  const { issuer, subject, benutzerId, now } = identitaet;
  await tx
    .insertInto('sso_identitaeten')
    .values({ mandant_id: mandant, issuer, subject, benutzer_id: benutzerId, erstellt_am: now })
    .execute();
}

/** The Mandant's user with an address, disabled ones too, and whether the issuer knows this user by some subject. */
export function findByEmail(
  tx: MandantTx,
  email: string,
  issuer: string,
): Promise<{ benutzer_id: string; verknuepft: boolean } | undefined> {
  return tx
    .selectFrom('benutzer as b')
    .select((eb) => [
      'b.benutzer_id',
      eb
        .exists(
          eb
            .selectFrom('sso_identitaeten as i')
            .whereRef('i.benutzer_id', '=', 'b.benutzer_id')
            .where('i.issuer', '=', issuer),
        )
        .$castTo<boolean>()
        .as('verknuepft'),
    ])
    .where('b.email_verloren_am', 'is', null)
    .where(({ eb, fn, val }) => eb(fn('zw_adresse', ['b.email']), '=', fn('zw_adresse', [val(email)])))
    .executeTakeFirst();
}
