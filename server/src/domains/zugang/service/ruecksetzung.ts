/** A forgotten password: a link by mail, a new password with the link. */
import type { passwortVergessen, ResponseOf } from '#contracts';
import { queueMail, toMail } from '#domains/postausgang/index.ts';
import { type Akteur, recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import { normaliseEmail } from '#kernel/email.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { type Mail, mailwegOf } from '#platform/mail.ts';
import { hashOf, randomSecret } from '#platform/secret.ts';
import { linkInvalid } from '../errors.ts';
import { issueDevice } from '../known-device.ts';
import { LINKS, PASSWORDS, RESET_MAILS, RESET_REQUESTS } from '../limits.ts';
import { RESET_VALID_MINUTES } from '../rules.ts';
import { markProven } from '../store/adressen.ts';
import { type FoundAnmeldung, findAnmeldung, readBenutzer } from '../store/benutzer.ts';
import {
  deleteRuecksetzungen,
  findRuecksetzung,
  insertRuecksetzung,
  lockBenutzer,
  readRuecksetzung,
  updatePasswort,
} from '../store/passwoerter.ts';
import { deleteSitzungenOf } from '../store/sitzungen.ts';
import { readZweiterFaktor } from '../store/zweite-faktoren.ts';
import { hashNewPassword } from './passwort.ts';

const VALID_SECONDS = RESET_VALID_MINUTES * 60;
/** The same for every address, known or not. */
function answerOf({ config }: Pick<ServiceContext, 'config'>) {
  const mailweg = mailwegOf(config);
  const detail =
    mailweg === 'log'
      ? 'Wenn es zu dieser Adresse ein Konto gibt, steht im Log des Dienstes ein Link, mit dem Sie ein neues Passwort festlegen; ein Mailserver ist nicht eingerichtet.'
      : 'Wenn es zu dieser Adresse ein Konto gibt, bekommen Sie eine Mail mit einem Link, mit dem Sie ein neues Passwort festlegen.';
  return { detail, mailweg };
}

/** The host is the configured one: that of a request is anybody's choice. */
const linkOf = ({ config }: Pick<ServiceContext, 'config'>, token: string) =>
  `${config.baseUrl}/passwort-neu?token=${token}`;

const letter = (email: string, link: string): Mail => ({
  ...toMail({
    an: email,
    betreff: 'Neues Passwort für Zählwerk',
    absaetze: [
      'Guten Tag,',
      `für Ihr Konto bei Zählwerk wurde ein neues Passwort angefordert. Mit diesem Link legen Sie es fest. Er gilt ${RESET_VALID_MINUTES} Minuten und nur einmal.`,
    ],
    link: { text: 'Neues Passwort festlegen', adresse: link },
    hinweis:
      'Sie haben kein neues Passwort angefordert? Dann brauchen Sie nichts zu tun: Ihr Passwort bleibt, wie es ist. Geben Sie den Link nicht weiter.',
  }),
  zugangslink: true,
});

/** Stores a link, in the transaction that has locked its user; earlier links of the user end. Resolves with it. */
export async function storeReset(
  context: Pick<ServiceContext, 'config'>,
  tx: MandantTx,
  benutzerId: string,
  token: string,
  now: Date,
): Promise<string> {
  await deleteRuecksetzungen(tx, benutzerId);
  await insertRuecksetzung(tx, {
    mandant_id: tx.mandant,
    benutzer_id: benutzerId,
    hash: hashOf(token),
    erstellt_am: now.toISOString(),
    gueltig_bis: new Date(now.getTime() + VALID_SECONDS * 1000).toISOString(),
  });
  return linkOf(context, token);
}

/** Stores the link and queues its mail. */
function issue(
  context: ServiceContext,
  { mandant_id, benutzer_id }: FoundAnmeldung,
  token: string,
  adresse: string | null,
): Promise<void> {
  const mandant = mandantId(mandant_id);
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx) => {
    // Of two requests at once the second waits here, so that one link is left and not two.
    const benutzer = await lockBenutzer(tx, benutzer_id);
    if (!benutzer) return;
    const link = await storeReset(context, tx, benutzer_id, token, now);
    const mail = letter(benutzer.email, link);
    await queueMail(tx, context.secrets, { art: 'passwort', mail, gueltig: VALID_SECONDS });
    await recordChange(tx, mandant, now, {
      // The one who asked is not known to be the user.
      akteur: { ...SYSTEM, adresse },
      aktion: 'passwort.link_angefordert',
      objekt: { art: 'benutzer', id: benutzer_id, name: benutzer.email },
    });
  });
}

/** A request beyond the links that are sent gets the usual answer; the last one sent holds until there are new ones. */
async function issueWithinAllowance(
  context: ServiceContext,
  found: FoundAnmeldung,
  token: string,
  adresse: string | null,
): Promise<void> {
  if (await context.throttle.allows(RESET_MAILS, found.benutzer_id))
    await issue(context, found, token, adresse);
}

/**
 * Sends a link to an address that is known; the answer is the same for every address, and holds the link where it is
 * shown. Throws 429.
 */
export async function requestReset(
  context: ServiceContext,
  text: string,
  adresse: string | null,
  showsLink: boolean,
): Promise<ResponseOf<typeof passwortVergessen>> {
  await context.throttle.countNetwork(RESET_REQUESTS, adresse);
  const email = normaliseEmail(text);
  const found = await context.db.transaction((client) => findAnmeldung(client, email));
  const answer = answerOf(context);
  const token = randomSecret();
  const issued = found ? issueWithinAllowance(context, found, token, adresse) : Promise.resolve();
  if (showsLink) {
    await issued;
    return { ...answer, link: linkOf(context, token) };
  }
  // Nobody waits for it: the time would tell known addresses from unknown ones.
  issued.catch((error: unknown) => context.log.error({ err: error }, 'reset link not issued'));
  return answer;
}

/** Inside the transaction: whose link it is, locked against a second use. */
async function claim(tx: MandantTx, hash: Buffer, now: string): Promise<{ id: string; email: string }> {
  const id = await readRuecksetzung(tx, hash, now);
  const benutzer = id === undefined ? undefined : await lockBenutzer(tx, id);
  // Read again: while the lock was waited for, the link may have been used.
  if (id === undefined || !benutzer || !(await readRuecksetzung(tx, hash, now))) throw linkInvalid();
  return { id, email: benutzer.email };
}

/** What is known of the user of a link that still holds. Throws 404 `link_ungueltig`. */
async function readLinkOwner(
  context: ServiceContext,
  hash: Buffer,
): Promise<{ mandant: MandantId; known: (string | null)[] }> {
  const now = context.clock.now().toISOString();
  return context.db.transaction(async (client) => {
    const found = await findRuecksetzung(client, hash);
    if (!found) throw linkInvalid();
    const mandant = mandantId(found.mandant_id);
    const tx = await client.bind(mandant);
    const id = await readRuecksetzung(tx, hash, now);
    const benutzer = id === undefined ? undefined : await readBenutzer(tx, id);
    if (!benutzer) throw linkInvalid();
    return { mandant, known: [benutzer.email, benutzer.firma, benutzer.name] };
  });
}

/**
 * The link came by mail, so the address is proven now; whether it was not before. A second factor that somebody has set up without
 * proving the address may be another's: its account is not the mailbox's to vouch for.
 */
async function proveByMail(tx: MandantTx, benutzerId: string, now: Date): Promise<boolean> {
  const faktor = await readZweiterFaktor(tx, benutzerId);
  const isOwn = !faktor || faktor.bestaetigt_am === null;
  return isOwn && markProven(tx, benutzerId, now.toISOString());
}

/**
 * Sets a new password with the link; all sessions, links and known devices of the user end, a second factor stays. Nobody is
 * signed in by it, but the browser is known from now on (the pass is what this resolves with): who holds the link owns the
 * address, and must get in however many others guess. Throws 404 `link_ungueltig`,
 * 422 for a password that is easy to guess (the link still holds), 429, 503.
 */
export async function resetPassword(
  context: ServiceContext,
  input: { token: string; passwort: string },
  adresse: string | null,
): Promise<string | null> {
  await context.throttle.countNetwork(LINKS, adresse);
  const hash = hashOf(input.token);
  const { mandant, known } = await readLinkOwner(context, hash);
  const passwortHash = await hashNewPassword({ field: 'passwort', passwort: input.passwort }, known);
  const now = context.clock.now();
  const benutzer = await context.db.forMandant(mandant, async (tx) => {
    const benutzer = await claim(tx, hash, now.toISOString());
    await updatePasswort(tx, benutzer.id, passwortHash);
    await deleteRuecksetzungen(tx, benutzer.id);
    const beendete_sitzungen = await deleteSitzungenOf(tx, benutzer.id, null);
    const proves = await proveByMail(tx, benutzer.id, now);
    const akteur: Akteur = { art: 'benutzer', id: benutzer.id, name: benutzer.email, adresse };
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'passwort.zurueckgesetzt',
      objekt: { art: 'benutzer', id: benutzer.id, name: benutzer.email },
      nachher: { beendete_sitzungen, ...(proves ? { email_bestaetigt: true } : {}) },
    });
    return benutzer;
  });
  // On another device of the user, too, the new password works at once.
  await context.throttle.forget(PASSWORDS, benutzer.email);
  return issueDevice(context.secrets, { benutzer_id: benutzer.id, passwort_hash: passwortHash }, now);
}
