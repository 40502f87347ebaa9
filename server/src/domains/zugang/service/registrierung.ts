/** Founding a Mandant. */
import { v7 as uuidv7 } from 'uuid';
import { AVV_FASSUNG, type BodyOf, type registrieren } from '#contracts';
import { insertMandant } from '#domains/mandant/index.ts';
import { recordChange } from '#domains/protokoll/index.ts';
import { normaliseEmail } from '#kernel/email.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { requireName } from '#kernel/name.ts';
import type { ServiceContext } from '#platform/context.ts';
import { emailTaken, packageNotFree } from '../errors.ts';
import { CONFIRMATIONS_UNASKED } from '../limits.ts';
import { hashPassword } from '../password.ts';
import { FREE_PACKAGE } from '../rules.ts';
import { insertBenutzer } from '../store/benutzer.ts';
import type { Herkunft } from '../store/sitzungen.ts';
import { takeAddress } from './adresse.ts';
import { issueConfirmation } from './bestaetigung.ts';
import { type SignedIn, startSession } from './sitzungen.ts';

/** Creates a Mandant with its inhaber and signs that user in. Throws 409 for a known address, 422 for a package. */
export async function registerMandant(
  context: ServiceContext,
  input: BodyOf<typeof registrieren>,
  herkunft: Herkunft,
): Promise<SignedIn> {
  requireName('firma', input.firma);
  if (input.paket !== FREE_PACKAGE) throw packageNotFree(input.paket);
  const email = normaliseEmail(input.email);
  const mails = await context.throttle.allows(CONFIRMATIONS_UNASKED, email.toLowerCase());
  const passwort_hash = await hashPassword(input.passwort);
  const mandant = mandantId(uuidv7());
  const benutzerId = uuidv7();
  const now = context.clock.now();
  const erstellt_am = now.toISOString();
  const avv_fassung = input.avv_akzeptiert ? AVV_FASSUNG : null;
  return context.db.forMandant(mandant, async (tx) => {
    await insertMandant(tx, {
      mandant_id: mandant,
      firma: input.firma,
      paket: FREE_PACKAGE,
      zeitzone: context.config.timeZone,
      avv_akzeptiert_am: avv_fassung && erstellt_am,
      avv_akzeptiert_von: avv_fassung && email,
      avv_fassung,
      erstellt_am,
    });
    // Of a cancelled Mandant only: nothing is proven by typing an address.
    if (!(await takeAddress(context, tx, email, false))) throw emailTaken();
    const inserted = await insertBenutzer(tx, {
      mandant_id: mandant,
      benutzer_id: benutzerId,
      email,
      name: null,
      passwort_hash,
      rolle: 'inhaber',
      erstellt_am,
      email_bestaetigt_am: null,
    });
    if (!inserted) throw emailTaken();
    await recordChange(tx, mandant, now, {
      akteur: { art: 'benutzer', id: benutzerId, name: email, adresse: herkunft.adresse },
      aktion: 'mandant.registriert',
      objekt: { art: 'mandant', id: mandant, name: input.firma },
      nachher: {
        firma: input.firma,
        paket: FREE_PACKAGE,
        avv_akzeptiert: input.avv_akzeptiert,
        avv_fassung,
      },
    });
    if (mails) await issueConfirmation(context, tx, { benutzerId, email }, now);
    return startSession(tx, mandant, benutzerId, now, herkunft);
  });
}
