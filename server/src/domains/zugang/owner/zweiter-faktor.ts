/** The way back in for somebody who has lost phone and recovery codes: only whoever runs the installation opens it. */
import { queueMail, toMail } from '#domains/postausgang/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { continueAsMandant } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { deleteSitzungenOf } from '../store/sitzungen.ts';
import { deleteZweiterFaktor } from '../store/zweite-faktoren.ts';
import { lockUserOfAddress, type UserOfAddress } from './user-of-address.ts';

const MAIL_VALID_SECONDS = 3 * 24 * 60 * 60;

const letter = (an: string) =>
  toMail({
    an,
    betreff: 'Zweiter Faktor bei Zählwerk entfernt',
    absaetze: [
      'Guten Tag,',
      'den zweiten Faktor Ihres Kontos bei Zählwerk hat der Betreiber der Installation entfernt. Alle Sitzungen sind beendet; Sie melden sich jetzt allein mit Ihrem Passwort an. Bitte richten Sie gleich wieder einen zweiten Faktor ein.',
    ],
    hinweis:
      'Sie haben nicht darum gebeten? Dann ändern Sie Ihr Passwort und wenden Sie sich an den Betreiber.',
  });

/**
 * Removes seed and recovery codes of a user, ends the user's sessions and tells the user by mail; `geaendert` is false
 * when no second factor was switched on. Null when there is no such user.
 */
export function dropSecondFactor(
  db: OwnerDatabase,
  service: Pick<ServiceContext, 'secrets'>,
  { email, akteur, now }: { email: string; akteur: Akteur; now: Date },
): Promise<(UserOfAddress & { geaendert: boolean }) | null> {
  return db.transaction(async (client) => {
    const user = await lockUserOfAddress(client, email);
    if (!user?.zweiterFaktor) return user && { ...user, geaendert: false };
    const { mandant, benutzerId } = user;
    const tx = await continueAsMandant(client, mandant);
    await deleteZweiterFaktor(tx, benutzerId);
    const beendete_sitzungen = await deleteSitzungenOf(tx, benutzerId, null);
    await queueMail(tx, service.secrets, mandant, letter(user.email), MAIL_VALID_SECONDS);
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'zweiter_faktor.ausgeschaltet',
      objekt: { art: 'benutzer', id: benutzerId, name: user.email },
      vorher: { zweiter_faktor: true },
      nachher: { zweiter_faktor: false, beendete_sitzungen },
    });
    return { ...user, geaendert: true };
  });
}
