/** Which reports users get by mail: everybody decides for themselves. */
import type { BodyOf, berichtaboSetzen, ResponseOf } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { lockBenutzer } from '#domains/zugang/index.ts';
import { unauthorized } from '#kernel/errors.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { deleteAbo, insertAbo, readAbo } from '../store.ts';

type Answer = ResponseOf<typeof berichtaboSetzen>;

/** What the signed-in user gets. */
export const readOwnAbo = (
  { db }: Pick<ServiceContext, 'db'>,
  { mandant, benutzerId }: SessionPrincipal,
): Promise<Answer> =>
  db.forMandant(mandant, async (tx) => ({ wochenbericht: (await readAbo(tx, benutzerId)) !== undefined }));

/** Switches it on or off; what is so already changes nothing. 401 when the user is gone meanwhile. */
export function setOwnAbo(
  { db, clock }: Pick<ServiceContext, 'db' | 'clock'>,
  { mandant, benutzerId, email }: SessionPrincipal,
  akteur: Akteur,
  { wochenbericht }: BodyOf<typeof berichtaboSetzen>,
): Promise<Answer> {
  const now = clock.now();
  return db.forMandant(mandant, async (tx) => {
    if (!(await lockBenutzer(tx, benutzerId)))
      throw unauthorized('nicht_angemeldet', { de: 'Bitte melden Sie sich an.', en: 'Please sign in.' });
    const changed = wochenbericht
      ? await insertAbo(tx, benutzerId, now.toISOString())
      : await deleteAbo(tx, benutzerId);
    if (changed)
      await recordChange(tx, mandant, now, {
        akteur,
        aktion: 'bericht.abo_geaendert',
        objekt: { art: 'benutzer', id: benutzerId, name: email },
        vorher: { wochenbericht: !wochenbericht },
        nachher: { wochenbericht },
      });
    return { wochenbericht };
  });
}
