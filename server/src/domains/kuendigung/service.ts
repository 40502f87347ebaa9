/** Cancelling an account, taking that back, and reminding of what follows. The removal itself is done by the owner (`owner/`). */
import type { kontoKuendigen, ResponseOf } from '#contracts';
import { requireMandantenPlatz } from '#domains/installation/index.ts';
import { type Letter, queueMail, toMail } from '#domains/postausgang/index.ts';
import { type Akteur, recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import { listWithoutAddress, regainAddress, takeAddress } from '#domains/zugang/index.ts';
import { conflict, notFound } from '#kernel/errors.ts';
import { toInstant } from '#kernel/instant.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { cancelled, deletionAhead, takenBack } from './letters.ts';
import { loeschungAb } from './rules.ts';
import {
  blockAllKeys,
  deleteOpenDoors,
  deleteSessions,
  type LeavingRow,
  listResponsible,
  lockLeaving,
  unblockKeys,
  updateLeaving,
} from './store.ts';

/** What leaving needs of the service, for requests, jobs and the command line alike. */
export type LeavingContext = Pick<ServiceContext, 'db' | 'clock' | 'secrets' | 'config'>;

const MAIL_VALID_SECONDS = 7 * 24 * 3_600;

async function tellResponsible(
  { secrets }: LeavingContext,
  tx: MandantTx,
  letter: Omit<Letter, 'an'>,
): Promise<void> {
  for (const an of await listResponsible(tx))
    await queueMail(tx, secrets, {
      art: 'kuendigung',
      mail: toMail({ an, ...letter }),
      gueltig: MAIL_VALID_SECONDS,
    });
}

const objektOf = (mandant: MandantId, { firma }: LeavingRow) => ({
  art: 'mandant',
  id: mandant,
  name: firma,
});

/**
 * Cancels the account, all in one transaction: nobody gets in any more, and those who run it get a mail. The caller has
 * checked the password. Throws 409 when it is cancelled already.
 */
export function cancelAccount(
  context: LeavingContext,
  mandant: MandantId,
  akteur: Akteur,
  bestaetigung: string,
): Promise<ResponseOf<typeof kontoKuendigen>> {
  const now = context.clock.now();
  const gekuendigt_am = now.toISOString();
  const end = loeschungAb(gekuendigt_am);
  const outcome = { status: 'gekündigt' as const, gekuendigt_am, loeschung_ab: end.toISOString() };
  return context.db.forMandant(mandant, async (tx) => {
    const row = await lockLeaving(tx);
    if (row?.status !== 'aktiv')
      throw conflict('schon_gekuendigt', {
        de: 'Das Konto ist schon gekündigt.',
        en: 'The account is cancelled already.',
      });
    await updateLeaving(tx, { status: 'gekündigt', gekuendigt_am });
    const gesperrte_schluessel = await blockAllKeys(tx, gekuendigt_am);
    const beendete_sitzungen = await deleteSessions(tx);
    await deleteOpenDoors(tx);
    const leaving = { firma: row.firma, zeitzone: row.zeitzone, loeschungAb: end };
    await tellResponsible(context, tx, cancelled(leaving, akteur.name ?? ''));
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'konto.gekuendigt',
      objekt: objektOf(mandant, row),
      vorher: { status: row.status },
      nachher: { ...outcome, gesperrte_schluessel, beendete_sitzungen, bestaetigung },
    });
    return { ...outcome, gesperrte_schluessel, beendete_sitzungen };
  });
}

/** Users whose address has gone to somebody else get it back where that one has no better right; how many go without. */
async function regainAddresses(context: LeavingContext, tx: MandantTx): Promise<number> {
  let without = 0;
  for (const { benutzer_id, email, email_bestaetigt_am } of await listWithoutAddress(tx)) {
    if (await takeAddress(context, tx, email, email_bestaetigt_am !== null))
      await regainAddress(tx, benutzer_id);
    else without += 1;
  }
  return without;
}

export interface TakenBack {
  firma: string;
  entsperrte_schluessel: number;
  /** Users who cannot sign in, their address being somebody else's now. */
  ohne_adresse: number;
}

/**
 * Takes a cancellation back, for the operator, while nothing is removed yet. Users sign in again; the keys that the
 * cancellation blocked work again, those blocked before stay blocked. Throws 404 for an unknown Mandant, 409 for one that
 * is not cancelled or whose time is up, and when the licence covers no more.
 */
export async function revokeKuendigung(
  context: LeavingContext,
  tx: MandantTx,
  akteur: Akteur,
): Promise<TakenBack> {
  const { mandant } = tx;
  const now = context.clock.now();
  const row = await lockLeaving(tx);
  if (!row) throw notFound({ de: 'Diesen Mandanten', en: 'This Mandant' });
  if (row.gekuendigt_am === null)
    throw conflict('nicht_gekuendigt', {
      de: 'Das Konto ist nicht gekündigt.',
      en: 'The account is not cancelled.',
    });
  // Whatever the clocks say: once the removal has begun, parts are missing.
  if (row.loeschung === 'begonnen' || now >= loeschungAb(row.gekuendigt_am))
    throw conflict('frist_abgelaufen', {
      de: 'Die Frist ist abgelaufen; die Daten werden gelöscht.',
      en: 'The time is up; the data are being removed.',
    });
  await requireMandantenPlatz(context, tx);
  await updateLeaving(tx, { status: 'aktiv', gekuendigt_am: null, loeschung: null });
  const ohne_adresse = await regainAddresses(context, tx);
  const entsperrte_schluessel = await unblockKeys(tx, row.gekuendigt_am);
  // What was under way when it was cancelled may have come after; it opened nothing so far.
  await deleteSessions(tx);
  await deleteOpenDoors(tx);
  const anmeldung = `${context.config.baseUrl}/anmelden`;
  await tellResponsible(context, tx, takenBack(row, anmeldung));
  await recordChange(tx, mandant, now, {
    akteur,
    aktion: 'konto.kuendigung_aufgehoben',
    objekt: objektOf(mandant, row),
    vorher: { status: row.status, gekuendigt_am: toInstant(row.gekuendigt_am) },
    nachher: { status: 'aktiv', entsperrte_schluessel, ohne_adresse },
  });
  return { firma: row.firma, entsperrte_schluessel, ohne_adresse };
}

/** Reminds those who run a cancelled account, once; false when there is nothing to remind of. */
export function remindOfDeletion(context: LeavingContext, mandant: MandantId): Promise<boolean> {
  return context.db.forMandant(mandant, async (tx) => {
    const row = await lockLeaving(tx);
    if (!row?.gekuendigt_am || row.loeschung !== null) return false;
    const end = loeschungAb(row.gekuendigt_am);
    const leaving = { firma: row.firma, zeitzone: row.zeitzone, loeschungAb: end };
    await updateLeaving(tx, { loeschung: 'erinnert' });
    await tellResponsible(context, tx, deletionAhead(leaving));
    await recordChange(tx, mandant, context.clock.now(), {
      akteur: SYSTEM,
      aktion: 'konto.loeschung_angekuendigt',
      objekt: objektOf(mandant, row),
      nachher: { loeschung_ab: end.toISOString() },
    });
    return true;
  });
}
