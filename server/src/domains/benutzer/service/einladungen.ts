/** Invitations: sent and withdrawn by those who administer users. */
import { v7 as uuidv7 } from 'uuid';
import type { BodyOf, benutzerEinladen, EinladungNeu, Static } from '#contracts';
import { areLimitsBinding, isOver, type MandantRow, packageInForce } from '#domains/mandant/index.ts';
import { queueMail, quotedName, toMail } from '#domains/postausgang/index.ts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { Rolle } from '#domains/zugang/index.ts';
import { normaliseEmail } from '#kernel/email.ts';
import { notFound } from '#kernel/errors.ts';
import type { ServiceContext } from '#platform/context.ts';
import { type MandantTx, requireRoomFor } from '#platform/database/index.ts';
import type { Mail } from '#platform/mail.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { hashOf, randomSecret } from '#platform/secret.ts';
import { isUserAlready, noPlaceLeft, roleAboveOwn } from '../errors.ts';
import { OPEN_INVITATIONS, USERS } from '../limits.ts';
import { INVITATION_VALID_DAYS, mayHandle } from '../rules.ts';
import { countPlaces, hasBenutzer } from '../store/benutzer.ts';
import {
  deleteEinladung,
  type EinladungRow,
  insertEinladung,
  readEinladung,
  readEinladungOf,
} from '../store/einladungen.ts';
import { einladungToApi } from '../to-api.ts';
import { takeTurn } from './benutzer.ts';

const DAY_SECONDS = 24 * 60 * 60;
const VALID_SECONDS = INVITATION_VALID_DAYS * DAY_SECONDS;

/** The host is the configured one: that of a request is anybody's choice. */
export const invitationLink = ({ config }: Pick<ServiceContext, 'config'>, token: string): string =>
  `${config.baseUrl}/einladung?token=${token}`;

const letter = (row: EinladungRow, firma: string, link: string): Mail => ({
  ...toMail({
    an: row.email,
    // Ours alone: what a company calls itself stands in quotes in the text.
    betreff: 'Einladung zu Zählwerk',
    absaetze: [
      'Guten Tag,',
      `${row.eingeladen_von} lädt Sie ein, im Konto ${quotedName(firma)} bei Zählwerk mitzuarbeiten. Mit diesem Link nehmen Sie an und legen Ihr Passwort fest. Er gilt ${INVITATION_VALID_DAYS} Tage und nur einmal.`,
    ],
    link: { text: 'Einladung annehmen', adresse: link },
    hinweis:
      'Sie haben diese Einladung nicht erwartet? Dann brauchen Sie nichts zu tun. Geben Sie den Link nicht weiter.',
  }),
  zugangslink: true,
});

/** Makes room for a new invitation of the address; resolves with the role of the old one. Throws 403. */
async function replaceOld(tx: MandantTx, own: Rolle, email: string): Promise<Rolle | null> {
  const old = await readEinladungOf(tx, email);
  if (!old) return null;
  if (!mayHandle(own, old.rolle)) throw roleAboveOwn();
  await deleteEinladung(tx, old.einladung_id);
  return old.rolle;
}

/** Throws 409 when the package has no room for another user. */
async function requirePlace(
  { config, clock }: Pick<ServiceContext, 'config' | 'clock'>,
  tx: MandantTx,
  mandant: MandantRow,
): Promise<void> {
  if (!areLimitsBinding(config, mandant)) return;
  const now = clock.now();
  const paket = packageInForce(mandant, now);
  if (isOver((await countPlaces(tx, now)) + 1, paket.grenzen.benutzer)) throw noPlaceLeft(paket);
}

/**
 * Invites an address by mail, which is held until an inhaber has confirmed the own address; an earlier invitation of the same address
 * ends. Whether the address has an account with
 * another Mandant makes no difference here. Where answers hold links, this one does. Throws 403 for a role above
 * one's own, 409 `email_vergeben` for one's own users, `paketgrenze_erreicht` where the package has no room for another,
 * `hoechstzahl_erreicht` where nobody has; 429 where no more mail may leave.
 */
export function invite(
  context: ServiceContext,
  principal: SessionPrincipal,
  akteur: Akteur,
  { rolle, ...input }: BodyOf<typeof benutzerEinladen>,
  showsLink: boolean,
): Promise<Static<typeof EinladungNeu>> {
  const email = normaliseEmail(input.email);
  const now = context.clock.now();
  const token = randomSecret();
  const row: EinladungRow = {
    einladung_id: uuidv7(),
    email,
    rolle,
    eingeladen_von: principal.email,
    erstellt_am: now.toISOString(),
    gueltig_bis: new Date(now.getTime() + VALID_SECONDS * 1000).toISOString(),
  };
  return context.db.forMandant(principal.mandant, async (tx) => {
    const { own, mandant } = await takeTurn(tx, principal);
    if (!mayHandle(own, rolle)) throw roleAboveOwn();
    if (await hasBenutzer(tx, email)) throw isUserAlready();
    const replaced = await replaceOld(tx, own, email);
    await requirePlace(context, tx, mandant);
    await requireRoomFor(tx, USERS);
    await requireRoomFor(tx, OPEN_INVITATIONS);
    await insertEinladung(tx, { ...row, mandant_id: principal.mandant, hash: hashOf(token) });
    const link = invitationLink(context, token);
    const mail = letter(row, mandant.firma, link);
    const post = { art: 'einladung', mail, gueltig: VALID_SECONDS } as const;
    const { gehalten } = await queueMail(tx, context.secrets, post);
    await recordChange(tx, principal.mandant, now, {
      akteur,
      aktion: 'benutzer.eingeladen',
      objekt: { art: 'einladung', id: row.einladung_id, name: email },
      vorher: replaced && { rolle: replaced },
      nachher: { rolle, gueltig_bis: row.gueltig_bis },
    });
    return { ...einladungToApi(row, now), mail_gehalten: gehalten, ...(showsLink ? { link } : {}) };
  });
}

/** Ends an invitation. Throws 404, 403 for one to a role above one's own. */
export function withdrawInvitation(
  context: Pick<ServiceContext, 'db' | 'clock'>,
  principal: SessionPrincipal,
  akteur: Akteur,
  einladungId: string,
): Promise<{ zurueckgezogen: boolean }> {
  return context.db.forMandant(principal.mandant, async (tx) => {
    const { own } = await takeTurn(tx, principal);
    const row = await readEinladung(tx, einladungId);
    if (!row) throw notFound({ de: 'Diese Einladung', en: 'This invitation' });
    if (!mayHandle(own, row.rolle)) throw roleAboveOwn();
    await deleteEinladung(tx, einladungId);
    await recordChange(tx, principal.mandant, context.clock.now(), {
      akteur,
      aktion: 'einladung.zurueckgezogen',
      objekt: { art: 'einladung', id: einladungId, name: row.email },
      vorher: { rolle: row.rolle },
    });
    return { zurueckgezogen: true };
  });
}
