/** The way back in for somebody who has lost phone and recovery codes: only the operator of the installation opens it. */
import type pg from 'pg';
import { queueMail, toMail } from '#domains/postausgang/index.ts';
import {
  type Acting,
  actAsOperator,
  asSeenByMandant,
  type Done,
  recordChange,
} from '#domains/protokoll/index.ts';
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

type Service = Pick<ServiceContext, 'secrets'>;
type Candidate = UserOfAddress & { geaendert: boolean };
interface Removal extends Acting {
  email: string;
}

async function drop(
  client: pg.PoolClient,
  { secrets }: Service,
  { email, akteur, now }: Removal,
): Promise<Done<Candidate | null>> {
  const user = await lockUserOfAddress(client, email);
  if (!user?.zweiterFaktor) return { result: user && { ...user, geaendert: false }, act: null };
  const { mandant, benutzerId } = user;
  const tx = await continueAsMandant(client, mandant);
  await deleteZweiterFaktor(tx, benutzerId);
  const beendete_sitzungen = await deleteSitzungenOf(tx, benutzerId, null);
  await queueMail(tx, secrets, {
    art: 'zweiter_faktor',
    mail: letter(user.email),
    gueltig: MAIL_VALID_SECONDS,
  });
  const objekt = { art: 'benutzer', id: benutzerId };
  const change = {
    aktion: 'zweiter_faktor.ausgeschaltet',
    vorher: { zweiter_faktor: true },
    nachher: { zweiter_faktor: false, beendete_sitzungen },
  };
  await recordChange(tx, mandant, now, {
    ...change,
    akteur: asSeenByMandant(akteur),
    objekt: { ...objekt, name: user.email },
  });
  return { result: { ...user, geaendert: true }, act: { ...change, mandant, objekt } };
}

/**
 * Removes seed and recovery codes of a user, ends the user's sessions and tells the user by mail; `geaendert` is false
 * when no second factor was switched on. Null when there is no such user.
 */
export const dropSecondFactor = (
  db: OwnerDatabase,
  service: Service,
  removal: Removal,
): Promise<Candidate | null> =>
  actAsOperator(db, removal, (owner) => owner.transaction((client) => drop(client, service, removal)));
