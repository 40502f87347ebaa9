/** Which user the provider has sent. */
import { v7 as uuidv7 } from 'uuid';
import { type Akteur, recordChange } from '#domains/protokoll/index.ts';
import {
  type Herkunft,
  insertBenutzer,
  lockBenutzer,
  markProven,
  readBenutzer,
  type SignedIn,
  startSession,
  takeAddress,
} from '#domains/zugang/index.ts';
import { emailProblem, normaliseEmail } from '#kernel/email.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { MandantTx } from '#platform/database/index.ts';
import { LoginRefused } from '../errors.ts';
import { type Claims, domainOf, isEmailVerified, nameOf, needsPassword } from '../rules.ts';
import { findByEmail, findIdentitaet, insertIdentitaet } from '../store/anmeldungen.ts';
import { type AnbieterRow, listDomains, lockAnbieter } from '../store/einstellungen.ts';

const MAX_EMAIL = 254;
/** The longest a subject may be (OpenID Connect Core, section 2). */
const MAX_SUBJECT = 255;

/** Somebody at the provider, with an address it vouches for. */
interface Person {
  issuer: string;
  subject: string;
  email: string;
  name: string | null;
}

interface Login {
  context: ServiceContext;
  mandant: MandantId;
  now: Date;
  person: Person;
  herkunft: Herkunft;
}

function personOf(claims: Claims): Person {
  const { iss, sub, email } = claims;
  if (sub.length > MAX_SUBJECT || !sub.isWellFormed() || /\p{Cc}/u.test(sub))
    throw new LoginRefused('sso_antwort_ungueltig', 'the provider names no proper subject');
  if (typeof email !== 'string' || email.length > MAX_EMAIL || emailProblem(email) !== null)
    throw new LoginRefused('sso_email_unbestaetigt', 'the provider names no address');
  if (!isEmailVerified(claims))
    throw new LoginRefused('sso_email_unbestaetigt', 'the provider does not vouch for the address');
  return { issuer: iss, subject: sub, email: normaliseEmail(email), name: nameOf(claims) };
}

async function requireProvenDomain(tx: MandantTx, email: string): Promise<void> {
  const domain = domainOf(email);
  const isProven = (await listDomains(tx)).some((row) => row.domain === domain && row.bewiesen_am !== null);
  if (!isProven) throw new LoginRefused('sso_domain_fremd', `${domain} is not proven to be the Mandant's`);
}

/** At the provider the address of a known user may have become another one. */
const isSameAddress = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

const linkOf = ({ issuer, subject }: Person) => ({ issuer, subject });

/** The entries are made by the user who comes: nobody else has a hand in it. */
const selfOf = ({ person, herkunft }: Login, benutzerId: string): Akteur => ({
  art: 'benutzer',
  id: benutzerId,
  name: person.email,
  adresse: herkunft.adresse,
});

async function linkUser(tx: MandantTx, login: Login, benutzerId: string): Promise<void> {
  const { mandant, now, person } = login;
  await insertIdentitaet(tx, mandant, { ...linkOf(person), benutzerId, now: now.toISOString() });
  await recordChange(tx, mandant, now, {
    akteur: selfOf(login, benutzerId),
    aktion: 'benutzer.verknuepft',
    objekt: { art: 'benutzer', id: benutzerId, name: person.email },
    nachher: linkOf(person),
  });
}

async function addUser(tx: MandantTx, login: Login, rolle: AnbieterRow['rolle_neu']): Promise<string> {
  const { context, mandant, now, person } = login;
  const { email, name } = person;
  const benutzerId = uuidv7();
  const erstellt_am = now.toISOString();
  // The Mandant's own users were looked at before. In its proven domain the provider's word is proof.
  const isFree = await takeAddress(context, tx, email, true);
  const isNew =
    isFree &&
    (await insertBenutzer(tx, {
      mandant_id: mandant,
      benutzer_id: benutzerId,
      email,
      name,
      passwort_hash: null,
      rolle,
      erstellt_am,
      email_bestaetigt_am: erstellt_am,
    }));
  if (!isNew) throw new LoginRefused('konto_woanders', 'the address belongs to a user of another Mandant');
  await insertIdentitaet(tx, mandant, { ...linkOf(person), benutzerId, now: erstellt_am });
  await recordChange(tx, mandant, now, {
    akteur: selfOf(login, benutzerId),
    aktion: 'benutzer.angelegt',
    objekt: { art: 'benutzer', id: benutzerId, name: email },
    nachher: { email, name, rolle, ...linkOf(person) },
  });
  return benutzerId;
}

/** Known by (issuer, subject), else by the verified address, else new. */
async function resolveUser(tx: MandantTx, login: Login, rolleNeu: AnbieterRow['rolle_neu']): Promise<string> {
  const { issuer, subject, email } = login.person;
  const known = await findIdentitaet(tx, issuer, subject);
  if (known !== undefined) return known;
  const user = await findByEmail(tx, email, issuer);
  if (!user) return addUser(tx, login, rolleNeu);
  // The address was given to somebody else there; what was its former owner's is not theirs.
  if (user.verknuepft)
    throw new LoginRefused('konto_verknuepft', 'the user with this address is known by another subject');
  await linkUser(tx, login, user.benutzer_id);
  return user.benutzer_id;
}

/** Signs in whom the provider has sent. Throws `LoginRefused`; nothing is linked or made then. */
export function signIn(
  context: ServiceContext,
  mandant: MandantId,
  claims: Claims,
  herkunft: Herkunft,
): Promise<SignedIn> {
  const person = personOf(claims);
  return context.db.forMandant(mandant, async (tx) => {
    // Held: of two first logins at once, the second one finds the user that the first one made.
    const provider = await lockAnbieter(tx);
    if (!provider?.aktiv) throw new LoginRefused('sso_abgelaufen', 'the provider was removed meanwhile');
    await requireProvenDomain(tx, person.email);
    const login = { context, mandant, now: context.clock.now(), person, herkunft };
    const benutzerId = await resolveUser(tx, login, provider.rolle_neu);
    // Held: what ends all sessions of the user comes wholly before this login, or wholly after it.
    const user = (await lockBenutzer(tx, benutzerId)) && (await readBenutzer(tx, benutzerId));
    if (!user) throw new LoginRefused('konto_deaktiviert', 'the user is disabled');
    if (needsPassword(user, provider))
      throw new LoginRefused('konto_passwort', 'the user has more rights than the provider may speak for');
    if (isSameAddress(user.email, person.email)) await markProven(tx, benutzerId, login.now.toISOString());
    const signedIn = await startSession(context, tx, { mandant, benutzerId, now: login.now, herkunft });
    await recordChange(tx, mandant, login.now, {
      // By the name the account has: at the provider it may have become another one.
      akteur: { ...selfOf(login, benutzerId), name: user.email },
      aktion: 'anmeldung.erfolgreich',
      objekt: { art: 'benutzer', id: benutzerId, name: user.email },
      nachher: { mit: 'firmenkonto', geraet: herkunft.geraet },
    });
    return signedIn;
  });
}
