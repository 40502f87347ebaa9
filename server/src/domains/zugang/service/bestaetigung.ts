/** The link that confirms an address: sent at the registration and again when asked for. */
import type { emailBestaetigen, emailBestaetigungSenden, ResponseOf } from '#contracts';
import { queueMail, toMail } from '#domains/postausgang/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { type Mail, mailwegOf } from '#platform/mail.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { hashOf, randomSecret } from '#platform/secret.ts';
import { emailProvenAlready, linkInvalid } from '../errors.ts';
import { CONFIRMATIONS, LINKS } from '../limits.ts';
import { CONFIRMATION_VALID_DAYS } from '../rules.ts';
import { lockHolder, markProven, takeBestaetigung, writeBestaetigung } from '../store/adressen.ts';

const VALID_SECONDS = CONFIRMATION_VALID_DAYS * 24 * 3_600;

/** The host is the configured one: that of a request is anybody's choice. */
const linkOf = ({ config }: Pick<ServiceContext, 'config'>, token: string) =>
  `${config.baseUrl}/email-bestaetigen?token=${token}`;

/** Names nothing that somebody has typed: its recipient may never have heard of the service. */
const letter = (an: string, link: string): Mail => ({
  ...toMail({
    an,
    betreff: 'Bitte bestätigen Sie Ihre E-Mail-Adresse',
    absaetze: [
      'Guten Tag,',
      `mit dieser Adresse wurde ein Konto bei Zählwerk angelegt. Mit diesem Link bestätigen Sie, dass sie Ihnen gehört. Er gilt ${CONFIRMATION_VALID_DAYS} Tage; Sie brauchen dazu das Passwort des Kontos.`,
    ],
    link: { text: 'Adresse bestätigen', adresse: link },
    hinweis:
      'Sie haben kein Konto angelegt? Dann brauchen Sie nichts zu tun. Geben Sie den Link nicht weiter.',
  }),
  zugangslink: true,
});

/** Stores a new link for a user, in the user's transaction; the link before ends. Resolves with it. */
export async function storeConfirmation(
  context: Pick<ServiceContext, 'config'>,
  tx: MandantTx,
  benutzerId: string,
  now: Date,
): Promise<string> {
  const token = randomSecret();
  await writeBestaetigung(tx, {
    mandant_id: tx.mandant,
    benutzer_id: benutzerId,
    hash: hashOf(token),
    erstellt_am: now.toISOString(),
    gueltig_bis: new Date(now.getTime() + VALID_SECONDS * 1000).toISOString(),
  });
  return linkOf(context, token);
}

/** The same, and its mail. */
export async function issueConfirmation(
  context: Pick<ServiceContext, 'config' | 'secrets'>,
  tx: MandantTx,
  { benutzerId, email }: { benutzerId: string; email: string },
  now: Date,
): Promise<string> {
  const link = await storeConfirmation(context, tx, benutzerId, now);
  await queueMail(tx, context.secrets, {
    art: 'adresse_bestaetigen',
    mail: letter(email, link),
    gueltig: VALID_SECONDS,
  });
  return link;
}

/** Sends the link to the signed-in user again. Throws 409 `email_schon_bestaetigt`, 429. */
export async function sendConfirmation(
  context: ServiceContext,
  { mandant, benutzerId, email }: SessionPrincipal,
  akteur: Akteur,
  showsLink: boolean,
): Promise<ResponseOf<typeof emailBestaetigungSenden>> {
  await context.throttle.countSubject(CONFIRMATIONS, email.toLowerCase());
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx) => {
    if ((await lockHolder(tx, benutzerId))?.bestaetigt_am !== null) throw emailProvenAlready();
    const link = await issueConfirmation(context, tx, { benutzerId, email }, now);
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'email.link_angefordert',
      objekt: { art: 'benutzer', id: benutzerId, name: email },
    });
    return { gesendet: mailwegOf(context.config) !== 'log', ...(showsLink ? { link } : {}) };
  });
}

/**
 * Confirms the address of the signed-in user. The link alone is not enough: it goes to the holder of the mailbox, who must not
 * vouch by it for an account that somebody else has made with their address. Throws 404 `link_ungueltig`, also for the link
 * of another user, and 429.
 */
export async function confirmAddress(
  context: ServiceContext,
  { mandant, benutzerId, email }: SessionPrincipal,
  akteur: Akteur,
  token: string,
): Promise<ResponseOf<typeof emailBestaetigen>> {
  await context.throttle.countNetwork(LINKS, akteur.adresse);
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx) => {
    if (!(await takeBestaetigung(tx, benutzerId, hashOf(token), now.toISOString()))) throw linkInvalid();
    if (await markProven(tx, benutzerId, now.toISOString()))
      await recordChange(tx, mandant, now, {
        akteur,
        aktion: 'email.bestaetigt',
        objekt: { art: 'benutzer', id: benutzerId, name: email },
        nachher: { email_bestaetigt: true },
      });
    return { bestaetigt: true };
  });
}
