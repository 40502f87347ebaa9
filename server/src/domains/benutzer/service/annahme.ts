/** Invitations, seen by those who hold the link. */
import { v7 as uuidv7 } from 'uuid';
import type { BodyOf, einladungAnnehmen, einladungLesen, ResponseOf } from '#contracts';
import { readMandant } from '#domains/mandant/index.ts';
import { recordChange } from '#domains/protokoll/index.ts';
import {
  emailTaken,
  type Herkunft,
  hashNewPassword,
  holdsUnproven,
  insertBenutzer,
  LINKS,
  type SignedIn,
  startSession,
  takeAddress,
} from '#domains/zugang/index.ts';
import { normaliseEmail, readableEmail } from '#kernel/email.ts';
import { toInstant } from '#kernel/instant.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { requireName } from '#kernel/name.ts';
import type { ServiceContext } from '#platform/context.ts';
import { hashOf } from '#platform/secret.ts';
import { invitationInvalid } from '../errors.ts';
import { isInvitationOpen } from '../rules.ts';
import {
  type EinladungRow,
  findEinladung,
  readEinladungByHash,
  takeEinladung,
} from '../store/einladungen.ts';

interface Invitation {
  mandant: MandantId;
  firma: string;
  row: EinladungRow;
  /** Whether an account that nobody has confirmed loses the address. */
  ersetzt: boolean;
}

async function readOpen(context: ServiceContext, hash: Buffer): Promise<Invitation> {
  const found = await context.db.transaction((client) => findEinladung(client, hash));
  if (!found) throw invitationInvalid();
  const mandant = mandantId(found.mandant_id);
  return context.db.forMandant(mandant, async (tx) => {
    const row = await readEinladungByHash(tx, hash);
    if (!row || !isInvitationOpen(row.gueltig_bis, context.clock.now())) throw invitationInvalid();
    const { firma } = await readMandant(tx);
    return { mandant, firma, row, ersetzt: await holdsUnproven(tx, normaliseEmail(row.email)) };
  });
}

/** What a link invites to. Throws 404 `einladung_ungueltig`. */
export async function describeInvitation(
  context: ServiceContext,
  token: string,
): Promise<ResponseOf<typeof einladungLesen>> {
  const { firma, row, ersetzt } = await readOpen(context, hashOf(token));
  const { rolle } = row;
  const gueltig_bis = toInstant(row.gueltig_bis);
  return { email: readableEmail(row.email), rolle, firma, gueltig_bis, ersetzt_konto: ersetzt };
}

/**
 * Makes the invited address a user and signs them in; the link is used up. Another account that has the address without having
 * proven it loses it. Throws 404 `einladung_ungueltig`, 409 `email_vergeben` when the address has an account with another Mandant,
 * 422 for a password that is easy to guess, 429, 503.
 */
export async function acceptInvitation(
  context: ServiceContext,
  input: BodyOf<typeof einladungAnnehmen>,
  herkunft: Herkunft,
): Promise<SignedIn> {
  requireName('name', input.name);
  await context.throttle.countNetwork(LINKS, herkunft.adresse);
  const hash = hashOf(input.token);
  const { mandant, firma, row: invited } = await readOpen(context, hash);
  const { name, passwort } = input;
  // Only for a link that is good: it is the costly part.
  const passwort_hash = await hashNewPassword({ field: 'passwort', passwort }, [invited.email, firma, name]);
  const now = context.clock.now();
  const benutzerId = uuidv7();
  return context.db.forMandant(mandant, async (tx) => {
    const row = await takeEinladung(tx, hash, now.toISOString());
    if (!row) throw invitationInvalid();
    const { rolle } = row;
    // One sent before addresses had one form may have another.
    const email = normaliseEmail(row.email);
    // The link came by mail: its holder has shown to own the mailbox.
    if (!(await takeAddress(context, tx, email, true))) throw emailTaken();
    const inserted = await insertBenutzer(tx, {
      mandant_id: mandant,
      benutzer_id: benutzerId,
      email,
      name,
      passwort_hash,
      rolle,
      erstellt_am: now.toISOString(),
      email_bestaetigt_am: now.toISOString(),
    });
    if (!inserted) throw emailTaken();
    await recordChange(tx, mandant, now, {
      akteur: { art: 'benutzer', id: benutzerId, name: email, adresse: herkunft.adresse },
      aktion: 'einladung.angenommen',
      objekt: { art: 'benutzer', id: benutzerId, name: email },
      nachher: { rolle, name },
    });
    return startSession(context, tx, { mandant, benutzerId, now, herkunft });
  });
}
