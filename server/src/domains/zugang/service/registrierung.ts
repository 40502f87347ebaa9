/** Founding a Mandant. */
import { v7 as uuidv7 } from 'uuid';
import { AVV_FASSUNG, type BodyOf, type registrieren } from '#contracts';
import { insertMandant } from '#domains/mandant/index.ts';
import { recordChange } from '#domains/protokoll/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { requireName } from '#kernel/name.ts';
import type { ServiceContext } from '#platform/context.ts';
import { emailTaken, packageNotFree } from '../errors.ts';
import { hashPassword } from '../password.ts';
import { FREE_PACKAGE } from '../rules.ts';
import { insertBenutzer } from '../store/benutzer.ts';
import type { Herkunft } from '../store/sitzungen.ts';
import { type SignedIn, startSession } from './sitzungen.ts';

/** Creates a Mandant with its inhaber and signs that user in. Throws 409 for a known address, 422 for a package. */
export async function registerMandant(
  context: ServiceContext,
  input: BodyOf<typeof registrieren>,
  herkunft: Herkunft,
): Promise<SignedIn> {
  requireName('firma', input.firma);
  if (input.paket !== FREE_PACKAGE) throw packageNotFree(input.paket);
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
      avv_akzeptiert_von: avv_fassung && input.email,
      avv_fassung,
      erstellt_am,
    });
    const inserted = await insertBenutzer(tx, {
      mandant_id: mandant,
      benutzer_id: benutzerId,
      email: input.email,
      name: null,
      passwort_hash,
      rolle: 'inhaber',
      erstellt_am,
    });
    if (!inserted) throw emailTaken();
    await recordChange(tx, mandant, now, {
      akteur: { art: 'benutzer', id: benutzerId, name: input.email, adresse: herkunft.adresse },
      aktion: 'mandant.registriert',
      objekt: { art: 'mandant', id: mandant, name: input.firma },
      nachher: {
        firma: input.firma,
        paket: FREE_PACKAGE,
        avv_akzeptiert: input.avv_akzeptiert,
        avv_fassung,
      },
    });
    return startSession(tx, mandant, benutzerId, now, herkunft);
  });
}
