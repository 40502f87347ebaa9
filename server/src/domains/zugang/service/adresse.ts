/**
 * Whose an address is. It belongs to one user of the installation. A user who has only typed it at a registration yields to one who
 * has shown to own the mailbox, and a cancelled Mandant keeps no address from anybody (docs/decisions/0036).
 */
import { lockMandant, readMandant } from '#domains/mandant/index.ts';
import { queueMail, quotedName, toMail } from '#domains/postausgang/index.ts';
import { recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import { enqueue } from '#jobs/index.ts';
import { readableEmail } from '#kernel/email.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type MandantTx, onBehalfOf } from '#platform/database/index.ts';
import { kontoVerwaist } from '../jobs/konto-verwaist.ts';
import { mayTakeAddress } from '../rules.ts';
import {
  deleteBestaetigung,
  findHolder,
  type Holder,
  listReachable,
  lockHolder,
  loseAddress,
  readHolder,
} from '../store/adressen.ts';
import { endSignIns } from './sitzungen.ts';

type Context = Pick<ServiceContext, 'clock' | 'secrets'>;

const MAIL_VALID_SECONDS = 7 * 24 * 3_600;

/** To the mailbox itself: perhaps the account was made by its owner, who knows best whether it is missed. */
const orphanedLetter = (an: string) =>
  toMail({
    an,
    betreff: 'Ein unbestätigtes Konto mit Ihrer Adresse endet',
    absaetze: [
      'Guten Tag,',
      'bei Zählwerk gab es schon ein Konto mit Ihrer Adresse. Niemand hatte bestätigt, dass die Adresse zu ihm gehört. Sie haben Ihre Adresse jetzt für ein anderes Konto bestätigt; das unbestätigte wird deshalb gekündigt und 30 Tage später gelöscht.',
    ],
    hinweis:
      'War es Ihr eigenes Konto, und Sie brauchen die Daten noch? Dann wenden Sie sich bis dahin an den Betreiber.',
  });

const colleagueLetter = (an: string, firma: string, lost: string) =>
  toMail({
    an,
    betreff: 'Ein Benutzer hat seine E-Mail-Adresse verloren',
    absaetze: [
      'Guten Tag,',
      `${readableEmail(lost)} hat im Konto ${quotedName(firma)} bei Zählwerk nie bestätigt, dass die Adresse die eigene ist. Jetzt ist sie für ein anderes Konto bestätigt worden. Der Benutzer kann sich in Ihrem Konto nicht mehr anmelden; seine Daten bleiben.`,
    ],
    hinweis: 'Fehlt der Benutzer? Laden Sie ihn unter einer anderen Adresse ein.',
  });

/** Tells those who can still sign in, or nobody is left and the Mandant has to leave. */
async function tellOrLeave(
  { secrets }: Context,
  tx: MandantTx,
  benutzerId: string,
  { email }: Holder,
): Promise<void> {
  const left = await listReachable(tx);
  const { firma } = await readMandant(tx);
  const mails =
    left.length === 0
      ? [orphanedLetter(email)]
      : left
          .filter(({ verwaltet }) => verwaltet)
          .map((colleague) => colleagueLetter(colleague.email, firma, email));
  for (const mail of mails)
    await queueMail(tx, secrets, { art: 'adresse_verloren', mail, gueltig: MAIL_VALID_SECONDS });
  if (left.length === 0) await enqueue(tx, kontoVerwaist, { benutzer_id: benutzerId });
}

/** Within the holder's Mandant. */
async function release(
  context: Context,
  tx: MandantTx,
  benutzerId: string,
  proven: boolean,
): Promise<boolean> {
  const { status } = await lockMandant(tx);
  const holder = await lockHolder(tx, benutzerId);
  // Somebody else was faster; the one who has it now is found when the address is written.
  if (!holder || holder.verloren_am !== null) return true;
  if (
    !mayTakeAddress({ gekuendigt: status === 'gekündigt', bestaetigt: holder.bestaetigt_am !== null }, proven)
  )
    return false;
  const now = context.clock.now();
  await loseAddress(tx, benutzerId, now.toISOString());
  await endSignIns(tx, benutzerId);
  await deleteBestaetigung(tx, benutzerId);
  await recordChange(tx, tx.mandant, now, {
    akteur: SYSTEM,
    aktion: 'benutzer.adresse_verloren',
    objekt: { art: 'benutzer', id: benutzerId, name: holder.email },
    vorher: { email_bestaetigt: holder.bestaetigt_am !== null },
  });
  if (status === 'aktiv') await tellOrLeave(context, tx, benutzerId, holder);
  return true;
}

/**
 * Makes an address free for a user of the Mandant of the transaction; false when its holder has as good a right to it.
 * `proven`: whether that user has shown to own the mailbox. The holder keeps the account but not the way into it; a Mandant
 * that nobody can sign in to any more is cancelled.
 */
export async function takeAddress(
  context: Context,
  tx: MandantTx,
  email: string,
  proven: boolean,
): Promise<boolean> {
  const holder = await findHolder(tx, email);
  if (!holder) return true;
  if (holder.mandant === tx.mandant) return false;
  return onBehalfOf(tx, holder.mandant, (other) => release(context, other, holder.benutzerId, proven));
}

/** Whether somebody else's unproven account would lose the address to a user who proves it now. */
export async function holdsUnproven(tx: MandantTx, email: string): Promise<boolean> {
  const holder = await findHolder(tx, email);
  if (!holder || holder.mandant === tx.mandant) return false;
  return onBehalfOf(tx, holder.mandant, async (other) => {
    const { status } = await readMandant(other);
    return status === 'aktiv' && (await readHolder(other, holder.benutzerId))?.bestaetigt_am === null;
  });
}
