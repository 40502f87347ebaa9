/** The users of a Mandant, seen and changed by those who administer them. */
import type { Benutzer, BodyOf, benutzerAendern, Static } from '#contracts';
import { lockMandant, type MandantRow, updateMandant } from '#domains/mandant/index.ts';
import { type Akteur, changedFields, recordChange } from '#domains/protokoll/index.ts';
import { endSignIns, type Rolle, readBenutzer, rightsOf } from '#domains/zugang/index.ts';
import { normaliseEmail } from '#kernel/email.ts';
import { forbidden, notFound } from '#kernel/errors.ts';
import { requireName } from '#kernel/name.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { addressLost, changeRefused } from '../errors.ts';
import { endsSessions, invitableBy, refusalOfChange, type Standing } from '../rules.ts';
import {
  countActiveInhaber,
  deleteBenutzer,
  type ListedBenutzer,
  readListedBenutzer,
  updateBenutzer,
} from '../store/benutzer.ts';
import { deleteEinladungenOf } from '../store/einladungen.ts';
import { benutzerToApi } from '../to-api.ts';

type Context = Pick<ServiceContext, 'db' | 'clock'>;

/**
 * Users and invitations of a Mandant are changed one after the other. The changing user is looked at again once it is
 * their turn: the change before may have taken the right away. Throws 403 then.
 */
export async function takeTurn(
  tx: MandantTx,
  principal: SessionPrincipal,
): Promise<{ mandant: MandantRow; own: Rolle }> {
  const mandant = await lockMandant(tx);
  const self = await readBenutzer(tx, principal.benutzerId);
  if (!self || !rightsOf(self.rolle).includes('benutzer.verwalten')) throw forbidden();
  return { mandant, own: self.rolle };
}

async function requireAllowed(
  tx: MandantTx,
  own: Rolle,
  before: Standing,
  after: Standing | null,
): Promise<void> {
  const refusal = refusalOfChange(own, before, after, await countActiveInhaber(tx));
  if (refusal) throw changeRefused(refusal);
}

/**
 * Ends what would outlive the rights it came from: sessions, links for a new password, and invitations that the user could
 * not make any more, perhaps to an address of their own. For the audit log: how many of these; null for none.
 */
async function endAccess(
  tx: MandantTx,
  { benutzer_id, email }: ListedBenutzer,
  after: Standing | null,
): Promise<{ beendete_einladungen: number } | null> {
  await endSignIns(tx, benutzer_id);
  const beendete_einladungen = await deleteEinladungenOf(tx, email, invitableBy(after));
  return beendete_einladungen > 0 ? { beendete_einladungen } : null;
}

const settingsOf = ({ rolle, aktiv, name }: ListedBenutzer) => ({ rolle, aktiv, name });

/**
 * Changes what is given. A changed role and a disabled access end the user's sessions, reset links and invitations out of
 * reach. Throws 404, 403 for a role above one's own, 409 `letzter_inhaber`, 409 `email_vergeben`
 * for switching on a user whose address is another's now.
 */
export async function changeUser(
  context: Context,
  principal: SessionPrincipal,
  akteur: Akteur,
  benutzerId: string,
  input: BodyOf<typeof benutzerAendern>,
): Promise<Static<typeof Benutzer>> {
  if (input.name) requireName('name', input.name);
  return context.db.forMandant(principal.mandant, async (tx) => {
    const { own } = await takeTurn(tx, principal);
    const row = await readListedBenutzer(tx, benutzerId);
    if (!row) throw notFound({ de: 'Diesen Benutzer', en: 'This user' });
    const before = settingsOf(row);
    const after = {
      rolle: input.rolle ?? before.rolle,
      aktiv: input.aktiv ?? before.aktiv,
      name: input.name ?? before.name,
    };
    // Nobody could sign in with it: the address is somebody else's.
    if (after.aktiv && row.adresse_verloren) throw addressLost();
    await requireAllowed(tx, own, before, after);
    const changes = changedFields(before, after);
    if (!changes) return benutzerToApi(row);
    await updateBenutzer(tx, benutzerId, after);
    const ends = endsSessions(before, after);
    const ended = ends ? await endAccess(tx, row, after) : null;
    await recordChange(tx, principal.mandant, context.clock.now(), {
      akteur,
      aktion: 'benutzer.geaendert',
      objekt: { art: 'benutzer', id: benutzerId, name: row.email },
      vorher: changes.vorher,
      nachher: { ...changes.nachher, ...ended },
    });
    return benutzerToApi({ ...row, ...after, zuletzt_am: ends ? null : row.zuletzt_am });
  });
}

/** Removes a user for good. Throws 404, 403 for a role above one's own, 409 `letzter_inhaber`. */
export function removeUser(
  context: Context,
  principal: SessionPrincipal,
  akteur: Akteur,
  benutzerId: string,
): Promise<{ entfernt: boolean }> {
  return context.db.forMandant(principal.mandant, async (tx) => {
    const { own, mandant } = await takeTurn(tx, principal);
    const row = await readListedBenutzer(tx, benutzerId);
    if (!row) throw notFound({ de: 'Diesen Benutzer', en: 'This user' });
    await requireAllowed(tx, own, row, null);
    const ended = await endAccess(tx, row, null);
    await deleteBenutzer(tx, benutzerId);
    // The address of somebody who is gone stays in the audit log alone.
    if (normaliseEmail(mandant.avv_akzeptiert_von ?? '') === row.email)
      await updateMandant(tx, principal.mandant, { avv_akzeptiert_von: null });
    await recordChange(tx, principal.mandant, context.clock.now(), {
      akteur,
      aktion: 'benutzer.entfernt',
      objekt: { art: 'benutzer', id: benutzerId, name: row.email },
      vorher: settingsOf(row),
      nachher: ended,
    });
    return { entfernt: true };
  });
}
