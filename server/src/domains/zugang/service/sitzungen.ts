/** Sessions begin, tell whose they are, and end. */
import type { ich, ResponseOf, sitzungen } from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import { notFound } from '#kernel/errors.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { mailwegOf } from '#platform/mail.ts';
import { cursorOf, type PageQuery, pageOf } from '#platform/page.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import { hashOf, isSecret, randomSecret } from '#platform/secret.ts';
import { loginFailed } from '../errors.ts';
import { issueDevice } from '../known-device.ts';
import { principalOf } from '../principal-of.ts';
import { SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from '../rules.ts';
import { readBenutzer, readEigeneAngaben } from '../store/benutzer.ts';
import { deleteRuecksetzungen, readPasswortHash } from '../store/passwoerter.ts';
import {
  type Ages,
  deleteExpiredSitzungen,
  deleteSitzung,
  deleteSitzungenOf,
  deleteSitzungOf,
  findSitzung,
  type Herkunft,
  insertSitzung,
  listSitzungen,
  replaceHash,
} from '../store/sitzungen.ts';
import { ichToApi, sitzungToApi } from '../to-api.ts';

/** A session that has just begun; the token goes into the cookie and is stored nowhere else. */
export interface SignedIn {
  token: string;
  /** The pass of a known device; null for users without a password. */
  geraet: string | null;
  ich: ResponseOf<typeof ich>;
}

const MAX_DEVICE = 300;

/** Where a login comes from, as far as the request tells. */
export const herkunftOf = (request: {
  ip: string;
  headers: { 'user-agent'?: string | undefined };
}): Herkunft => ({
  adresse: request.ip,
  geraet: request.headers['user-agent']?.slice(0, MAX_DEVICE) ?? null,
});

export async function describeSelf(
  { config }: Pick<ServiceContext, 'config'>,
  tx: MandantTx,
  principal: SessionPrincipal,
): Promise<ResponseOf<typeof ich>> {
  return ichToApi(principal, await readEigeneAngaben(tx, principal.benutzerId), mailwegOf(config));
}

function expiredAt(now: Date): Ages {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString();
  return { createdBefore: before(SESSION_ABSOLUTE_MS), usedBefore: before(SESSION_IDLE_MS) };
}

/** Removes the sessions of a user that are too old to be used. */
const removeExpired = (tx: MandantTx, benutzerId: string, now: Date): Promise<void> =>
  deleteExpiredSitzungen(tx, benutzerId, expiredAt(now));

/** Whose session begins, when, and where it comes from. */
interface Beginning {
  mandant: MandantId;
  benutzerId: string;
  now: Date;
  herkunft: Herkunft;
}

/** Begins a session of an active user; throws 401 when there is none. */
export async function startSession(
  { secrets, config }: Pick<ServiceContext, 'secrets' | 'config'>,
  tx: MandantTx,
  { mandant, benutzerId, now, herkunft }: Beginning,
): Promise<SignedIn> {
  const benutzer = await readBenutzer(tx, benutzerId);
  if (!benutzer) throw loginFailed();
  const passwort_hash = await readPasswortHash(tx, benutzerId);
  await removeExpired(tx, benutzerId, now);
  const token = randomSecret();
  const instant = now.toISOString();
  const sitzung_id = await insertSitzung(tx, {
    mandant_id: mandant,
    hash: hashOf(token),
    benutzer_id: benutzerId,
    erstellt_am: instant,
    zuletzt_am: instant,
    ...herkunft,
  });
  return {
    token,
    geraet: issueDevice(secrets, { benutzer_id: benutzerId, passwort_hash }, now),
    ich: await describeSelf({ config }, tx, principalOf({ ...benutzer, sitzung_id })),
  };
}

/**
 * Has a session go on under a new token, which is resolved with: one that may do more from now on is not raised for somebody who came by the
 * token before.
 */
export async function renewToken(tx: MandantTx, { sitzungId }: SessionPrincipal): Promise<string> {
  const token = randomSecret();
  await replaceHash(tx, sitzungId, hashOf(token));
  return token;
}

/** Ends whatever the user could still come in by: all sessions, and links for a new password. */
export async function endSignIns(tx: MandantTx, benutzerId: string): Promise<void> {
  await deleteSitzungenOf(tx, benutzerId, null);
  await deleteRuecksetzungen(tx, benutzerId);
}

/** Ends the session of a token; anything that is no live session is ignored. */
export async function endSession(context: ServiceContext, token: string | null): Promise<void> {
  if (token === null || !isSecret(token)) return;
  const hash = hashOf(token);
  await context.db.transaction(async (client) => {
    const found = await findSitzung(client, hash);
    if (!found) return;
    await deleteSitzung(await client.bind(mandantId(found.mandant_id)), hash);
  });
}

const cursor = cursorOf('sitzungen', 'instant', 'uuid');

/** A page of the sessions of the signed-in user that can be used, the latest login first. */
export function listOwnSessions(
  context: ServiceContext,
  { mandant, benutzerId, sitzungId }: SessionPrincipal,
  { limit, nach }: PageQuery,
): Promise<ResponseOf<typeof sitzungen>> {
  const [erstellt_am, sitzung_id] = cursor.read(nach) ?? [];
  const after = erstellt_am && sitzung_id ? { erstellt_am, sitzung_id } : null;
  return context.db.forMandant(mandant, async (tx) => {
    const ages = expiredAt(context.clock.now());
    const found = await listSitzungen(tx, benutzerId, ages, limit + 1, after);
    const { rows, weiter } = pageOf(found, limit, cursor, (row) => [row.erstellt_am, row.sitzung_id]);
    return { sitzungen: rows.map((row) => sitzungToApi(row, sitzungId)), weiter };
  });
}

/** Ends one session of the signed-in user, be it the one that asks. Throws 404 for any other id. */
export function endOwnSession(
  context: ServiceContext,
  principal: SessionPrincipal,
  akteur: Akteur,
  sitzungId: string,
): Promise<{ beendet: number }> {
  const now = context.clock.now();
  return context.db.forMandant(principal.mandant, async (tx) => {
    await removeExpired(tx, principal.benutzerId, now);
    const ended = await deleteSitzungOf(tx, principal.benutzerId, sitzungId);
    if (!ended) throw notFound({ de: 'Diese Sitzung', en: 'This session' });
    await recordChange(tx, principal.mandant, now, {
      akteur,
      aktion: 'sitzung.beendet',
      objekt: { art: 'sitzung', id: sitzungId, name: ended.geraet },
    });
    return { beendet: 1 };
  });
}

/** Ends all sessions of the signed-in user but the one that asks. */
export function endOtherSessions(
  context: ServiceContext,
  principal: SessionPrincipal,
  akteur: Akteur,
): Promise<{ beendet: number }> {
  const now = context.clock.now();
  return context.db.forMandant(principal.mandant, async (tx) => {
    await removeExpired(tx, principal.benutzerId, now);
    const beendet = await deleteSitzungenOf(tx, principal.benutzerId, principal.sitzungId);
    if (beendet > 0)
      await recordChange(tx, principal.mandant, now, {
        akteur,
        aktion: 'sitzung.andere_beendet',
        objekt: { art: 'benutzer', id: principal.benutzerId, name: principal.email },
        nachher: { beendet },
      });
    return { beendet };
  });
}
