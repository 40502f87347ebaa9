/** The password of the signed-in user. */
import type { passwortAendern, ResponseOf } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import type { Attempt } from '#platform/throttle.ts';
import { noPassword, passwordGuessable, passwordWrong } from '../errors.ts';
import { issueDevice } from '../known-device.ts';
import { PASSWORDS } from '../limits.ts';
import { hashPassword, verifyPassword } from '../password.ts';
import { isGuessable } from '../password-strength.ts';
import { deleteRuecksetzungen, readPasswortHash, replacePasswort } from '../store/passwoerter.ts';
import { deleteSitzungenOf } from '../store/sitzungen.ts';

/** What is stored of a new password. `known` is what others know of the user. Throws 422 for a password that is easy to guess, 503. */
export async function hashNewPassword(
  input: { field: 'passwort' | 'neu'; passwort: string },
  known: readonly (string | null)[],
): Promise<string> {
  if (await isGuessable(input.passwort, known)) throw passwordGuessable(input.field);
  return hashPassword(input.passwort);
}

/** Verifies with one try of the budget; a try that came to nothing because too many wait is given back. Throws 429, 503. */
export async function tryPassword(
  passwords: Attempt,
  passwort: string,
  stored: string | null,
): Promise<boolean> {
  await passwords.begin();
  try {
    return await verifyPassword(passwort, stored);
  } catch (error) {
    await passwords.takeBack();
    throw error;
  }
}

/**
 * Asks the signed-in user for the own password; resolves with the stored hash it belongs to. Throws 403
 * `passwort_falsch`, 409 `passwort_fehlt` for users who have none, 429 after too many wrong ones.
 */
export async function confirmOwnPassword(
  context: ServiceContext,
  principal: SessionPrincipal,
  passwort: string,
): Promise<string> {
  const { mandant, benutzerId } = principal;
  const stored = await context.db.forMandant(mandant, (tx) => readPasswortHash(tx, benutzerId));
  if (stored === null) throw noPassword();
  // Who is signed in is known: no stranger's guessing gets in the way.
  const passwords = context.throttle.attempt(PASSWORDS, { known: benutzerId });
  if (!(await tryPassword(passwords, passwort, stored))) throw passwordWrong();
  await passwords.succeed();
  return stored;
}

/**
 * Changes the own password; the other sessions, open reset links and the passes of all devices end, the asking one gets
 * another. Throws like `confirmOwnPassword` and `hashNewPassword`.
 */
export async function changePassword(
  context: ServiceContext,
  principal: SessionPrincipal,
  akteur: Akteur,
  input: { alt: string; neu: string },
): Promise<ResponseOf<typeof passwortAendern> & { geraet: string | null }> {
  const { mandant, benutzerId } = principal;
  const before = await confirmOwnPassword(context, principal, input.alt);
  const { email, firma, name } = principal;
  const after = await hashNewPassword({ field: 'neu', passwort: input.neu }, [email, firma, name]);
  const now = context.clock.now();
  return context.db.forMandant(mandant, async (tx) => {
    // Of two changes at once, the second one's old password is no longer right.
    if (!(await replacePasswort(tx, benutzerId, before, after))) throw passwordWrong();
    await deleteRuecksetzungen(tx, benutzerId);
    const beendete_sitzungen = await deleteSitzungenOf(tx, benutzerId, principal.sitzungId);
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'passwort.geaendert',
      objekt: { art: 'benutzer', id: benutzerId, name: email },
      nachher: { beendete_sitzungen },
    });
    const geraet = issueDevice(context.secrets, { benutzer_id: benutzerId, passwort_hash: after }, now);
    return { geaendert: true, beendete_sitzungen, geraet };
  });
}
