/** The second factor: set up, confirmed, used, switched off. */
import type {
  BodyOf,
  ResponseOf,
  zweiterFaktorBestaetigen,
  zweiterFaktorEinrichten,
  zweiterFaktorEntfernen,
} from '#contracts';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { SessionPrincipal } from '#platform/principal.ts';
import {
  codeWrong,
  ownCodeNeeded,
  secondFactorActive,
  secondFactorMissing,
  secondFactorNotBegun,
  signInTooOld,
} from '../errors.ts';
import { CODES } from '../limits.ts';
import { isRecent } from '../rules.ts';
import {
  isTotpCode,
  newRecoveryCodes,
  newSeed,
  normaliseCode,
  otpauthUri,
  recoveryHash,
  stepOf,
} from '../second-factor.ts';
import { lockBenutzer } from '../store/passwoerter.ts';
import { deleteSitzungenOf, readSitzungBeginn } from '../store/sitzungen.ts';
import {
  confirmZweiterFaktor,
  deleteZweiterFaktor,
  putZweiterFaktor,
  readZweiterFaktor,
  replaceWiederherstellungscodes,
  takeSchritt,
  takeWiederherstellungscode,
  type ZweiterFaktorRow,
} from '../store/zweite-faktoren.ts';
import { confirmOwnPassword } from './passwort.ts';
import { renewToken } from './sitzungen.ts';

/** What a user gives to show who asks. */
type Proof = BodyOf<typeof zweiterFaktorEntfernen>;

const seedOf = (context: ServiceContext, faktor: ZweiterFaktorRow): string =>
  context.secrets.open(faktor.geheimnis).toString();

const subjectOf = ({ benutzerId, email }: SessionPrincipal) => ({
  art: 'benutzer',
  id: benutzerId,
  name: email,
});

/** Uses up a code, normalised, of the app or a recovery code; says which it was, null for a wrong or used one. */
export async function takeCode(
  context: ServiceContext,
  tx: MandantTx,
  benutzerId: string,
  faktor: ZweiterFaktorRow,
  code: string,
): Promise<'code' | 'wiederherstellungscode' | null> {
  const seed = seedOf(context, faktor);
  const now = context.clock.now();
  if (!isTotpCode(code)) {
    const hash = recoveryHash(seed, code);
    const used = await takeWiederherstellungscode(tx, benutzerId, hash, now.toISOString());
    return used ? 'wiederherstellungscode' : null;
  }
  const schritt = stepOf(seed, code, now);
  return schritt !== null && (await takeSchritt(tx, benutzerId, schritt)) ? 'code' : null;
}

/** Asks the signed-in user for a code, where a second factor is switched on; it is used up. Throws 403, 429. */
async function confirmOwnCode(
  context: ServiceContext,
  { mandant, benutzerId }: SessionPrincipal,
  code: string,
): Promise<void> {
  const faktor = await context.db.forMandant(mandant, (tx) => readZweiterFaktor(tx, benutzerId));
  if (!faktor || faktor.bestaetigt_am === null) return;
  if (code === '') throw ownCodeNeeded();
  const codes = context.throttle.attempt(CODES, { known: benutzerId });
  await codes.begin();
  const taken = await context.db.forMandant(mandant, (tx) => takeCode(context, tx, benutzerId, faktor, code));
  if (taken === null) throw codeWrong();
  await codes.succeed();
}

/**
 * Asks the signed-in user for the own password and, where a second factor is switched on, for a code of it: a session alone is
 * no proof. Throws like `confirmOwnPassword`, 403 `code_noetig` without a code, `code_falsch` for a wrong one.
 */
export async function confirmSelf(
  context: ServiceContext,
  principal: SessionPrincipal,
  { passwort, code }: Proof,
): Promise<void> {
  await confirmOwnPassword(context, principal, passwort);
  await confirmOwnCode(context, principal, normaliseCode(code ?? ''));
}

/**
 * A new seed, not asked for until it is confirmed. Throws 403 `anmeldung_zu_alt` in a session that began long ago, 409 when a
 * second factor is switched on.
 */
export function beginSecondFactor(
  context: ServiceContext,
  principal: SessionPrincipal,
  akteur: Akteur,
): Promise<ResponseOf<typeof zweiterFaktorEinrichten>> {
  const { mandant, benutzerId, sitzungId, email } = principal;
  const now = context.clock.now();
  const seed = newSeed();
  return context.db.forMandant(mandant, async (tx) => {
    const begun_am = await readSitzungBeginn(tx, benutzerId, sitzungId);
    if (begun_am === undefined || !isRecent(begun_am, now)) throw signInTooOld();
    // A confirmation under way is of the seed before, and must not switch this one on.
    await lockBenutzer(tx, benutzerId);
    const begun = await putZweiterFaktor(tx, {
      mandant_id: mandant,
      benutzer_id: benutzerId,
      geheimnis: context.secrets.seal(Buffer.from(seed)),
      erstellt_am: now.toISOString(),
    });
    if (!begun) throw secondFactorActive();
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'zweiter_faktor.begonnen',
      objekt: subjectOf(principal),
    });
    return { geheimnis: seed, otpauth_uri: otpauthUri(seed, email) };
  });
}

/** What the answer says, and the token the session goes on under. */
export interface SwitchedOn {
  answer: ResponseOf<typeof zweiterFaktorBestaetigen>;
  token: string;
}

/** Switches on inside the transaction; null for a wrong code. */
async function switchOn(
  context: ServiceContext,
  tx: MandantTx,
  principal: SessionPrincipal,
  akteur: Akteur,
  code: string,
): Promise<SwitchedOn | null> {
  const { mandant, benutzerId } = principal;
  const now = context.clock.now();
  await lockBenutzer(tx, benutzerId);
  const faktor = await readZweiterFaktor(tx, benutzerId);
  if (!faktor) throw secondFactorNotBegun();
  if (faktor.bestaetigt_am !== null) throw secondFactorActive();
  const seed = seedOf(context, faktor);
  const schritt = stepOf(seed, code, now);
  if (schritt === null) return null;
  await confirmZweiterFaktor(tx, benutzerId, now.toISOString(), schritt);
  const codes = newRecoveryCodes();
  const hashes = codes.map((recoveryCode) => recoveryHash(seed, recoveryCode));
  await replaceWiederherstellungscodes(tx, mandant, benutzerId, hashes);
  const beendete_sitzungen = await deleteSitzungenOf(tx, benutzerId, principal.sitzungId);
  await recordChange(tx, mandant, now, {
    akteur,
    aktion: 'zweiter_faktor.eingeschaltet',
    objekt: subjectOf(principal),
    vorher: { zweiter_faktor: false },
    nachher: { zweiter_faktor: true, beendete_sitzungen },
  });
  const answer = { wiederherstellungscodes: codes, beendete_sitzungen };
  return { answer, token: await renewToken(tx, principal) };
}

/**
 * Switches the second factor on; the recovery codes are shown this once, the other sessions end, and this one has a new token. Throws 403 for a wrong
 * code, 409 when there is nothing to confirm, 429 after too many attempts.
 */
export async function confirmSecondFactor(
  context: ServiceContext,
  principal: SessionPrincipal,
  akteur: Akteur,
  code: string,
): Promise<SwitchedOn> {
  const codes = context.throttle.attempt(CODES, { known: principal.benutzerId });
  await codes.begin();
  const switchedOn = await context.db.forMandant(principal.mandant, (tx) =>
    switchOn(context, tx, principal, akteur, normaliseCode(code)),
  );
  if (!switchedOn) throw codeWrong();
  await codes.succeed();
  return switchedOn;
}

/** Switches the second factor off; the other sessions end. Throws like `confirmSelf`, and 409 when it is off. */
export async function removeSecondFactor(
  context: ServiceContext,
  principal: SessionPrincipal,
  akteur: Akteur,
  proof: Proof,
): Promise<void> {
  const { mandant, benutzerId } = principal;
  const now = context.clock.now();
  await confirmSelf(context, principal, proof);
  await context.db.forMandant(mandant, async (tx) => {
    await lockBenutzer(tx, benutzerId);
    if (!(await deleteZweiterFaktor(tx, benutzerId))) throw secondFactorMissing();
    const beendete_sitzungen = await deleteSitzungenOf(tx, benutzerId, principal.sitzungId);
    await recordChange(tx, mandant, now, {
      akteur,
      aktion: 'zweiter_faktor.ausgeschaltet',
      objekt: subjectOf(principal),
      vorher: { zweiter_faktor: true },
      nachher: { zweiter_faktor: false, beendete_sitzungen },
    });
  });
}
