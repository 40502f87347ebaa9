/** Founding a Mandant. */
import { v7 as uuidv7 } from 'uuid';
import { AVV_FASSUNG, type BodyOf, type registrieren } from '#contracts';
import { requireMandantenPlatz } from '#domains/installation/index.ts';
import { insertMandant, mandantAngelegt } from '#domains/mandant/index.ts';
import { recordChange } from '#domains/protokoll/index.ts';
import { enqueue } from '#jobs/index.ts';
import { normaliseEmail } from '#kernel/email.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { requireName } from '#kernel/name.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { emailTaken, packageNotFree } from '../errors.ts';
import { CONFIRMATIONS_UNASKED } from '../limits.ts';
import { FREE_PACKAGE } from '../rules.ts';
import { insertBenutzer } from '../store/benutzer.ts';
import type { Herkunft } from '../store/sitzungen.ts';
import { takeAddress } from './adresse.ts';
import { issueConfirmation } from './bestaetigung.ts';
import { hashNewPassword } from './passwort.ts';
import { type SignedIn, startSession } from './sitzungen.ts';

/** Who registers, as it is stored. */
interface Founder {
  mandant: MandantId;
  benutzerId: string;
  email: string;
  passwort_hash: string;
  erstellt_am: string;
  email_bestaetigt_am: string | null;
}

type Input = BodyOf<typeof registrieren>;

const avvFassungOf = ({ avv_akzeptiert }: Input) => (avv_akzeptiert ? AVV_FASSUNG : null);

/** Puts in the Mandant and its inhaber. Throws 409 for a known address, or when the licence covers no more Mandanten. */
async function found(context: ServiceContext, tx: MandantTx, founder: Founder, input: Input): Promise<void> {
  const { mandant, benutzerId, ...user } = founder;
  const { email, erstellt_am } = user;
  await requireMandantenPlatz(context, tx);
  const avv_fassung = avvFassungOf(input);
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
  const row = {
    mandant_id: mandant,
    benutzer_id: benutzerId,
    name: null,
    rolle: 'inhaber' as const,
    ...user,
  };
  if (!(await insertBenutzer(tx, row))) throw emailTaken();
}

/**
 * Creates a Mandant with its inhaber and signs that user in; a mail asks to confirm the address, unless the registering one vouches
 * for it (`vouched`). Throws 409 for a known address or a licence that covers no more, 422 for a package, a name that cannot be, or a
 * password that is easy to guess, 503.
 */
export async function registerMandant(
  context: ServiceContext,
  input: Input,
  herkunft: Herkunft,
  { vouched = false } = {},
): Promise<SignedIn> {
  const { firma, avv_akzeptiert } = input;
  requireName('firma', firma);
  if (input.paket !== FREE_PACKAGE) throw packageNotFree(input.paket);
  const email = normaliseEmail(input.email);
  const { passwort } = input;
  const passwort_hash = await hashNewPassword({ field: 'passwort', passwort }, [email, firma]);
  const mails = !vouched && (await context.throttle.allows(CONFIRMATIONS_UNASKED, email.toLowerCase()));
  const [mandant, benutzerId] = [mandantId(uuidv7()), uuidv7()];
  const now = context.clock.now();
  const erstellt_am = now.toISOString();
  const email_bestaetigt_am = vouched ? erstellt_am : null;
  const founder = { mandant, benutzerId, email, passwort_hash, erstellt_am, email_bestaetigt_am };
  return context.db.forMandant(mandant, async (tx) => {
    await found(context, tx, founder, input);
    await enqueue(tx, mandantAngelegt, {});
    await recordChange(tx, mandant, now, {
      akteur: { art: 'benutzer', id: benutzerId, name: email, adresse: herkunft.adresse },
      aktion: 'mandant.registriert',
      objekt: { art: 'mandant', id: mandant, name: firma },
      nachher: { firma, paket: FREE_PACKAGE, avv_akzeptiert, avv_fassung: avvFassungOf(input) },
    });
    if (mails) await issueConfirmation(context, tx, { benutzerId, email }, now);
    return startSession(context, tx, { mandant, benutzerId, now, herkunft });
  });
}
