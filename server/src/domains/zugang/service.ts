/** Registration, login, logout, and the keys of a Mandant. */
import { v7 as uuidv7 } from 'uuid';
import type {
  Anmeldung,
  kontoLesen,
  Registrierung,
  ResponseOf,
  Schluessel,
  SchluesselEingabe,
  SchluesselNeu,
  Static,
} from '#contracts';
import type { SessionPrincipal } from '#http/index.ts';
import { notFound } from '#kernel/errors.ts';
import { type MandantId, mandantId } from '#kernel/mandant-id.ts';
import { hashOf, randomSecret } from '#kernel/secret.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { emailTaken, loginFailed, packageNotFree } from './errors.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { principalOf } from './principal-of.ts';
import { FREE_PACKAGE, SESSION_ABSOLUTE_MS, SESSION_IDLE_MS, scopesOf } from './rules.ts';
import {
  blockSchluessel,
  deleteExpiredSitzungen,
  deleteSitzung,
  findAnmeldung,
  findSitzung,
  insertBenutzer,
  insertMandant,
  insertSchluessel,
  insertSitzung,
  listSchluessel,
  readBenutzer,
  readMandant,
} from './store.ts';
import type { LoginThrottle } from './throttle.ts';
import { mandantToApi, schluesselToApi } from './to-api.ts';
import { isSessionToken, newKeySecret, visibleParts } from './tokens.ts';

/** A session that has just begun; the token goes into the cookie and is stored nowhere else. */
export interface SignedIn {
  token: string;
  principal: SessionPrincipal;
}

async function startSession(
  tx: MandantTx,
  mandant: MandantId,
  benutzerId: string,
  now: Date,
): Promise<SignedIn> {
  const benutzer = await readBenutzer(tx, benutzerId);
  if (!benutzer) throw loginFailed();
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString();
  await deleteExpiredSitzungen(tx, benutzerId, {
    createdBefore: before(SESSION_ABSOLUTE_MS),
    usedBefore: before(SESSION_IDLE_MS),
  });
  const token = randomSecret();
  const instant = now.toISOString();
  await insertSitzung(tx, {
    mandant_id: mandant,
    hash: hashOf(token),
    benutzer_id: benutzerId,
    erstellt_am: instant,
    zuletzt_am: instant,
  });
  return { token, principal: principalOf(benutzer) };
}

/** Creates a Mandant with its inhaber and signs that user in. Throws 409 for a known address, 422 for a package. */
export async function registerMandant(
  context: ServiceContext,
  input: Static<typeof Registrierung>,
): Promise<SignedIn> {
  if (input.paket !== undefined && input.paket !== FREE_PACKAGE) throw packageNotFree(input.paket);
  const passwort_hash = await hashPassword(input.passwort);
  const mandant = mandantId(uuidv7());
  const benutzerId = uuidv7();
  const now = context.clock.now();
  const erstellt_am = now.toISOString();
  return context.db.forMandant(mandant, async (tx) => {
    await insertMandant(tx, {
      mandant_id: mandant,
      firma: input.firma,
      paket: FREE_PACKAGE,
      zeitzone: context.config.timeZone,
      avv_akzeptiert_am: input.avv_akzeptiert ? erstellt_am : null,
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
    return startSession(tx, mandant, benutzerId, now);
  });
}

/** Checks address and password. Throws 401 for any wrong combination, 429 after too many of them. */
export async function login(
  context: ServiceContext,
  throttle: LoginThrottle,
  input: Static<typeof Anmeldung>,
  address: string,
): Promise<SignedIn> {
  await throttle.begin(input.email, address);
  const found = await context.db.transaction((client) => findAnmeldung(client, input.email));
  // Always verified, so that an unknown address costs the same time.
  const right = await verifyPassword(input.passwort, found?.passwort_hash ?? null);
  if (!right || !found) throw loginFailed();
  await throttle.succeed(input.email, address);
  const mandant = mandantId(found.mandant_id);
  return context.db.forMandant(mandant, (tx) =>
    startSession(tx, mandant, found.benutzer_id, context.clock.now()),
  );
}

/** Ends the session of a token; anything that is no live session is ignored. */
export async function endSession(context: ServiceContext, token: string | null): Promise<void> {
  if (token === null || !isSessionToken(token)) return;
  const hash = hashOf(token);
  await context.db.transaction(async (client) => {
    const found = await findSitzung(client, hash);
    if (!found) return;
    await client.bind(mandantId(found.mandant_id));
    await deleteSitzung(client, hash);
  });
}

/** The account page: the Mandant and its keys, blocked ones too. */
export function readAccount(
  context: ServiceContext,
  mandant: MandantId,
): Promise<ResponseOf<typeof kontoLesen>> {
  return context.db.forMandant(mandant, async (tx) => ({
    mandant: mandantToApi(await readMandant(tx)),
    schluessel: (await listSchluessel(tx)).map(schluesselToApi),
  }));
}

/** Creates an API key; the answer is the only place the whole key ever stands in. */
export async function createKey(
  context: ServiceContext,
  mandant: MandantId,
  input: Static<typeof SchluesselEingabe>,
): Promise<Static<typeof SchluesselNeu>> {
  const schluessel = newKeySecret();
  const row = await context.db.forMandant(mandant, (tx) =>
    insertSchluessel(tx, {
      mandant_id: mandant,
      schluessel_id: uuidv7(),
      name: input.name ?? 'standard',
      hash: hashOf(schluessel),
      ...visibleParts(schluessel),
      bereiche: scopesOf(input.bereiche),
      projekt: input.projekt ?? null,
      erstellt_am: context.clock.now().toISOString(),
    }),
  );
  return { ...schluesselToApi(row), schluessel };
}

/** Blocks a key; repeated, it answers the same. Throws 404 for a key the Mandant does not have. */
export async function blockKey(
  context: ServiceContext,
  mandant: MandantId,
  schluesselId: string,
): Promise<Static<typeof Schluessel>> {
  const now = context.clock.now().toISOString();
  const row = await context.db.forMandant(mandant, (tx) => blockSchluessel(tx, schluesselId, now));
  if (!row) throw notFound('Diesen Schlüssel');
  return schluesselToApi(row);
}
