/** Login with address, password and, where it is switched on, a second factor. */
import type { Anmeldung, Static } from '#contracts';
import { type Akteur, recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import { normaliseEmail } from '#kernel/email.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { type AttemptLimits, networkOf } from '#platform/throttle.ts';
import { codeNeeded, loginCodeWrong, loginFailed } from '../errors.ts';
import { knownDevice } from '../known-device.ts';
import { CODES, KNOWN_NETWORKS, NOTED_FAILURES, PASSWORDS } from '../limits.ts';
import { normaliseCode } from '../second-factor.ts';
import { type FoundAnmeldung, findAnmeldung } from '../store/benutzer.ts';
import { holdPasswort } from '../store/passwoerter.ts';
import type { Herkunft } from '../store/sitzungen.ts';
import { readZweiterFaktor } from '../store/zweite-faktoren.ts';
import { tryPassword } from './passwort.ts';
import { type SignedIn, startSession } from './sitzungen.ts';
import { takeCode } from './zweiter-faktor.ts';

type Refusal = 'code_noetig' | 'code_falsch';

/**
 * Notes a failed login of a user that exists, without being waited for: the answer must take as long for an address
 * that does not exist.
 */
function noteFailure(
  context: ServiceContext,
  found: FoundAnmeldung,
  herkunft: Herkunft,
  nachher: { email: string; woran: 'passwort' | 'code' },
): void {
  const mandant = mandantId(found.mandant_id);
  const now = context.clock.now();
  // The one who tried is not known to be the user.
  const akteur: Akteur = { ...SYSTEM, adresse: herkunft.adresse };
  const objekt = { art: 'benutzer', id: found.benutzer_id, name: nachher.email };
  const write = async () => {
    if (!(await context.throttle.allows(NOTED_FAILURES, found.benutzer_id))) return;
    await context.db.forMandant(mandant, (tx) =>
      recordChange(tx, mandant, now, {
        akteur,
        aktion: 'anmeldung.fehlgeschlagen',
        objekt,
        nachher: { woran: nachher.woran, geraet: herkunft.geraet },
      }),
    );
  };
  write().catch((error: unknown) => context.log.warn({ err: error, mandant }, 'failed login not noted'));
}

/** What comes after the right password, in one transaction. */
async function enter(
  context: ServiceContext,
  tx: MandantTx,
  found: FoundAnmeldung & { passwort_hash: string },
  code: string,
  herkunft: Herkunft,
): Promise<SignedIn | Refusal> {
  const mandant = mandantId(found.mandant_id);
  const now = context.clock.now();
  if (!(await holdPasswort(tx, found.benutzer_id, found.passwort_hash))) throw loginFailed();
  const faktor = await readZweiterFaktor(tx, found.benutzer_id);
  const confirmed = faktor && faktor.bestaetigt_am !== null;
  if (confirmed && code === '') return 'code_noetig';
  const mit = confirmed ? await takeCode(context, tx, found.benutzer_id, faktor, code) : 'passwort';
  if (mit === null) return 'code_falsch';
  const signedIn = await startSession(context, tx, {
    mandant,
    benutzerId: found.benutzer_id,
    now,
    herkunft,
  });
  const { email } = signedIn.ich.benutzer;
  await recordChange(tx, mandant, now, {
    akteur: { art: 'benutzer', id: found.benutzer_id, name: email, adresse: herkunft.adresse },
    aktion: 'anmeldung.erfolgreich',
    objekt: { art: 'benutzer', id: found.benutzer_id, name: email },
    nachher: { mit, geraet: herkunft.geraet },
  });
  return signedIn;
}

/** What names the network at an address; null for an unknown one, which nobody is known by. */
const networkAt = (email: string, { adresse }: Herkunft): string | null => {
  const network = networkOf(adresse ?? '');
  return network === '' ? null : `${network} ${email}`;
};

/**
 * Checks address, password and code. `geraet` is the pass the browser sent: attempts of a device that is known, or from a
 * network from which the user has signed in before, have budgets of their own, which others elsewhere cannot fill. Throws 401 `anmeldung_falsch` for any wrong combination of address and password,
 * then 401 `code_noetig` or `code_falsch`; 429 after too many attempts, 503 when too many are under way.
 */
export async function login(
  context: ServiceContext,
  input: Static<typeof Anmeldung>,
  herkunft: Herkunft,
  geraet: string | null,
): Promise<SignedIn> {
  const email = normaliseEmail(input.email);
  const { adresse } = herkunft;
  const found = await context.db.transaction((client) => findAnmeldung(client, email));
  const passwort_hash = found?.passwort_hash ?? null;
  const device = knownDevice(context.secrets, geraet, found, context.clock.now());
  const network = networkAt(email, herkunft);
  // Asked for every address, so that one without a user costs the same time.
  const isNear = network !== null && (await context.throttle.remembers(KNOWN_NETWORKS, network));
  // Others in the same network can claim it: it has tries of its own at each account, and the network's limit holds for all.
  const attemptAt = (limits: AttemptLimits, account: string) =>
    context.throttle.attempt(
      limits,
      device === null
        ? { account: isNear ? `${account} ${network}` : account, address: adresse }
        : { known: device },
    );
  const passwords = attemptAt(PASSWORDS, email);
  // Always tried, so that an unknown address, or a user without a password, costs the same time.
  const right = await tryPassword(passwords, input.passwort, passwort_hash);
  if (!found || passwort_hash === null || !right) {
    if (found) noteFailure(context, found, herkunft, { email, woran: 'passwort' });
    throw loginFailed();
  }
  const code = normaliseCode(input.code ?? '');
  const codes = attemptAt(CODES, found.benutzer_id);
  if (code !== '') await codes.begin();
  const outcome = await context.db.forMandant(mandantId(found.mandant_id), (tx) =>
    enter(context, tx, { ...found, passwort_hash }, code, herkunft),
  );
  if (outcome === 'code_noetig') {
    // Not forgotten but taken back: somebody who knows the password must not get new tries at the code by it.
    await passwords.takeBack();
    throw codeNeeded();
  }
  if (outcome === 'code_falsch') {
    noteFailure(context, found, herkunft, { email, woran: 'code' });
    throw loginCodeWrong();
  }
  await passwords.succeed();
  if (code !== '') await codes.succeed();
  if (network !== null) await context.throttle.remember(KNOWN_NETWORKS, network);
  return outcome;
}
