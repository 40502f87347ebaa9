/** Registration, login, sessions, passwords and the second factor. */
import {
  boolean,
  component,
  count,
  datetime,
  email,
  field,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  pageQuery,
  preset,
  rowsOf,
  secret,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';

export const Sprache = oneOf('de', 'en');

export const Rolle = oneOf('inhaber', 'verwalter', 'bearbeiter', 'buchhaltung', 'betrachter');

const passwort = () => field(secret({ max: 200 }), 'The own password.');
const neuesPasswort = () =>
  field(
    secret({ min: 10, max: 200 }),
    'The new password; one that is easy to guess is refused (422 `value_error`): common ones and their variations, sequences, names the user is known by.',
  );
export const EigenerCode = field(
  optional(secret({ max: 20 })),
  'Code of the second factor, or one of the recovery codes; needed by users who have a second factor, ignored for others.',
);
const beendeteSitzungen = () => field(count(), 'Sessions that ended.', 1);
const geaendert = field(boolean(), 'Always true.');

export const Anmeldung = component('Anmeldung', 'What a user signs in with.', {
  email: field(text({ max: 254 }), 'Address of the user.', 'anna@example.org'),
  passwort: passwort(),
  code: EigenerCode,
});

export const Registrierung = component('Registrierung', 'A company that comes.', {
  firma: field(text({ min: 2, max: 120 }), 'Name of the company.', 'Muster GmbH'),
  email: field(email(), 'Address of its first user, who becomes inhaber.', 'anna@example.org'),
  passwort: neuesPasswort(),
  paket: preset(
    field(text({ max: 60 }), 'Package to begin with; others than `frei` are booked later.'),
    'frei',
  ),
  avv_akzeptiert: preset(field(boolean(), 'Whether the data-processing agreement is accepted.'), false),
});

const IchBenutzer = component('IchBenutzer', 'The signed-in user.', {
  benutzer_id: field(uuid(), 'Names the user.'),
  email: field(text(), 'Address of the user.', 'anna@example.org'),
  name: field(nullable(text()), 'Name to show; null when none is entered.', 'Anna Muster'),
  sprache: field(nullable(Sprache), 'The language the user chose; null for that of the browser.'),
  zeitzone: field(
    nullable(text()),
    'IANA name of the time zone in which instants are shown to the user; null for that of the Mandant. Days are always those of the Mandant.',
    'Europe/Vienna',
  ),
  rolle: field(Rolle, 'The role of the user.'),
  email_bestaetigt: field(
    boolean(),
    'Whether the address is proven to be the user’s. An address that is not goes to the account that proves it.',
  ),
  zweiter_faktor: field(boolean(), 'Whether login asks for a code.'),
  wiederherstellungscodes: field(count(), 'Recovery codes not yet used; 0 without a second factor.', 10),
  passwort_gesetzt: field(boolean(), 'False for users who have only ever signed in by company account.'),
  betreiber: field(boolean(), 'Operator of the installation.'),
});

const IchMandant = component('IchMandant', 'The Mandant of the signed-in user.', {
  mandant_id: field(uuid(), 'Names the Mandant.'),
  firma: field(text(), 'Name of the company.', 'Muster GmbH'),
  paket: field(text(), 'Short name of the package in force.', 'frei'),
  zeitzone: field(text(), 'IANA name of the time zone days and months are meant in.', 'Europe/Berlin'),
});

const mailweg = () => oneOf('mailserver', 'log', 'unbekannt');
const MAILWEG =
  'How mails leave this installation: through a mail server; `log`: not at all, they stand in the log of the service; `unbekannt`: other processes send, and this one does not know how.';

export const Ich = component('Ich', 'Who is signed in, for which Mandant, and what they may do.', {
  benutzer: field(IchBenutzer, 'The user.'),
  mandant: field(IchMandant, 'The Mandant.'),
  rechte: field(listOf(text(), 50), 'What the user may do.', ['verbrauch.lesen']),
  mailweg: field(mailweg(), MAILWEG, 'mailserver'),
});

export const registrieren = operation({
  id: 'zugang.registrieren',
  method: 'POST',
  path: '/v1/registrieren',
  summary: 'Legt einen Mandanten mit seinem Inhaber an und meldet ihn an.',
  description:
    'Makes a Mandant with its inhaber and signs in, with the session in a cookie. The account can be used at once; a mail asks to confirm the address.',
  access: { kind: 'public' },
  refuses: { 409: ['email_vergeben', 'lizenz_ausgeschoepft'], 429: ['zu_viele_versuche'] },
  body: Registrierung,
  status: 201,
  response: Ich,
});

export const anmelden = operation({
  id: 'zugang.anmelden',
  method: 'POST',
  path: '/v1/anmelden',
  summary: 'Meldet einen Benutzer an; die Sitzung steht im Cookie.',
  description:
    'Signs a user in, with the session in a cookie. 401 `code_noetig` asks for the code of the second factor; attempts are throttled per account and network, and apart from that for a browser that has signed in to the account before (cookie `zw_geraet`).',
  access: { kind: 'public' },
  refuses: { 401: ['anmeldung_falsch', 'code_noetig', 'code_falsch'], 429: ['zu_viele_versuche'] },
  body: Anmeldung,
  response: Ich,
});

export const abmelden = operation({
  id: 'zugang.abmelden',
  method: 'POST',
  path: '/v1/abmelden',
  summary: 'Beendet die Sitzung.',
  description: 'Ends the session and clears its cookie; also succeeds when there is none.',
  access: { kind: 'public' },
  response: component('Abmeldung', 'That nobody is signed in any more.', {
    abgemeldet: field(boolean(), 'Always true.'),
  }),
});

export const ich = operation({
  id: 'zugang.ich',
  method: 'GET',
  path: '/v1/ich',
  summary: 'Sagt, wer angemeldet ist.',
  description: 'Says who is signed in and what they may do.',
  access: { kind: 'session', right: 'selbst' },
  response: Ich,
});

export const profilAendern = operation({
  id: 'zugang.profil_aendern',
  method: 'PUT',
  path: '/v1/cockpit/profil',
  summary: 'Ändert den eigenen Namen, die Sprache und die Zeitzone.',
  description:
    'Changes what is given of the own profile: a field left out stays, null clears it. The time zone changes how instants are shown, never which day a call counts for.',
  access: { kind: 'session', right: 'selbst' },
  body: component('ProfilAendern', 'What a user says of themselves.', {
    name: Type.Optional(field(nullable(text({ max: 120 })), 'Name to show.', 'Anna Muster')),
    sprache: Type.Optional(field(nullable(Sprache), 'Language of the cockpit.')),
    zeitzone: Type.Optional(
      field(nullable(text({ max: 64 })), 'IANA name of the time zone for instants.', 'Europe/Vienna'),
    ),
  }),
  response: Ich,
});

export const Sitzung = component('Sitzung', 'One login of a user: where from, and when it was last used.', {
  sitzung_id: field(uuid(), 'Names the session.'),
  diese: field(boolean(), 'The session that asks.'),
  adresse: field(nullable(text()), 'Network address of the login; null when it is not known.', '192.0.2.7'),
  geraet: field(nullable(text()), 'What the browser says it is; null when it says nothing.'),
  erstellt_am: field(datetime(), 'When it began.'),
  zuletzt_am: field(datetime(), 'When it was last used.'),
});

const Sitzungsende = component('Sitzungsende', 'Which sessions ended.', {
  beendet: field(count(), 'How many.', 1),
});

export const sitzungen = operation({
  id: 'zugang.sitzungen',
  method: 'GET',
  path: '/v1/cockpit/sitzungen',
  summary: 'Die laufenden Sitzungen des angemeldeten Benutzers.',
  description: 'The sessions of the signed-in user, page by page.',
  access: { kind: 'session', right: 'selbst' },
  query: Type.Object(pageQuery()),
  response: component('Sitzungsliste', 'Sessions of a user.', {
    sitzungen: field(rowsOf(Sitzung), 'The sessions, the latest login first.'),
    weiter,
  }),
});

export const sitzungBeenden = operation({
  id: 'zugang.sitzung_beenden',
  method: 'DELETE',
  path: '/v1/cockpit/sitzungen/{sitzung_id}',
  summary: 'Beendet eine eigene Sitzung.',
  description: 'Ends one of the own sessions.',
  access: { kind: 'session', right: 'selbst' },
  params: Type.Object({ sitzung_id: field(uuid(), 'The session.') }),
  response: Sitzungsende,
});

export const andereSitzungenBeenden = operation({
  id: 'zugang.andere_sitzungen_beenden',
  method: 'DELETE',
  path: '/v1/cockpit/sitzungen',
  summary: 'Beendet alle eigenen Sitzungen außer dieser.',
  description: 'Ends all own sessions but the one that asks.',
  access: { kind: 'session', right: 'selbst' },
  response: Sitzungsende,
});

export const emailBestaetigen = operation({
  id: 'zugang.email_bestaetigen',
  method: 'POST',
  path: '/v1/email/bestaetigen',
  summary: 'Bestätigt die Adresse des angemeldeten Benutzers mit dem Link aus der Mail.',
  description:
    'Confirms the address of the signed-in user with the link from the mail. It takes both: the link shows who has the mailbox, the session whose account it is.',
  access: { kind: 'session', right: 'selbst' },
  refuses: { 404: ['link_ungueltig'], 429: ['zu_viele_versuche'] },
  body: component('EmailBestaetigen', 'The link that confirms an address.', {
    token: field(secret({ min: 16, max: 200 }), 'The secret of the link.'),
  }),
  response: component('EmailBestaetigt', 'That the address is confirmed.', {
    bestaetigt: field(boolean(), 'Always true.'),
  }),
});

export const emailBestaetigungSenden = operation({
  id: 'zugang.email_bestaetigung_senden',
  method: 'POST',
  path: '/v1/email/bestaetigung',
  summary: 'Schickt dem angemeldeten Benutzer den Link zum Bestätigen seiner Adresse noch einmal.',
  description: 'Sends the link that confirms the address of the signed-in user again; the link before ends.',
  access: { kind: 'session', right: 'selbst' },
  refuses: { 409: ['email_schon_bestaetigt'], 429: ['zu_viele_versuche'] },
  response: component('EmailBestaetigungGesendet', 'That a link was made.', {
    gesendet: field(
      boolean(),
      'Whether a mail brings it; false where no mail server is set up, and the link stands in the log of the service.',
    ),
    link: Type.Optional(
      field(
        text(),
        'Only on a machine for trying out (`NODE_ENV`); otherwise the link is in the mail alone.',
      ),
    ),
  }),
});

export const passwortVergessen = operation({
  id: 'zugang.passwort_vergessen',
  method: 'POST',
  path: '/v1/passwort/vergessen',
  summary: 'Schickt einen Link zum Zurücksetzen, wenn es die Adresse gibt; die Antwort ist immer dieselbe.',
  description:
    'Sends a reset link by mail if there is such a user. The answer is the same in any case, however many were asked for: a user is sent three in half an hour.',
  access: { kind: 'public' },
  refuses: { 429: ['zu_viele_versuche'] },
  body: component('PasswortVergessen', 'Who forgot the password.', {
    email: field(text({ max: 254 }), 'Address of the user.', 'anna@example.org'),
  }),
  response: component('LinkVerschickt', 'That a link is on its way, if there is such a user.', {
    detail: field(text(), 'A German sentence.'),
    mailweg: field(mailweg(), MAILWEG, 'mailserver'),
    link: Type.Optional(
      field(
        text(),
        'Only on a machine for trying out (`NODE_ENV`); for an unknown address it leads nowhere.',
      ),
    ),
  }),
});

export const passwortNeu = operation({
  id: 'zugang.passwort_neu',
  method: 'POST',
  path: '/v1/passwort/neu',
  summary: 'Setzt ein neues Passwort mit dem Link aus der Mail; alle Sitzungen enden.',
  description: 'Sets a new password with the link from the mail; all sessions end.',
  access: { kind: 'public' },
  refuses: { 404: ['link_ungueltig'], 429: ['zu_viele_versuche'] },
  body: component('PasswortNeu', 'A new password and the link that allows it.', {
    token: field(secret({ min: 16, max: 200 }), 'The secret of the link.'),
    passwort: neuesPasswort(),
  }),
  response: component('PasswortGesetzt', 'That the password is another one.', { geaendert }),
});

export const passwortAendern = operation({
  id: 'zugang.passwort_aendern',
  method: 'PUT',
  path: '/v1/cockpit/passwort',
  summary: 'Ändert das eigene Passwort; alle anderen Sitzungen enden.',
  description: 'Changes the own password; all other sessions end.',
  access: { kind: 'session', right: 'selbst' },
  refuses: { 403: ['passwort_falsch'], 409: ['passwort_fehlt'], 429: ['zu_viele_versuche'] },
  body: component('PasswortAendern', 'The old password and the new one.', {
    alt: passwort(),
    neu: neuesPasswort(),
  }),
  response: component('PasswortGeaendert', 'That the password is another one.', {
    geaendert,
    beendete_sitzungen: beendeteSitzungen(),
  }),
});

export const zweiterFaktorEinrichten = operation({
  id: 'zugang.zweiter_faktor_einrichten',
  method: 'POST',
  path: '/v1/cockpit/2fa/einrichten',
  summary: 'Beginnt die Einrichtung des zweiten Faktors; er gilt erst nach der Bestätigung.',
  description:
    'Begins the set-up of the second factor (TOTP); it holds only once it is confirmed. 403 `anmeldung_zu_alt` when the session began more than ten minutes ago: a session that was left open must not lock its user out.',
  access: { kind: 'session', right: 'selbst' },
  refuses: { 403: ['anmeldung_zu_alt'], 409: ['zweiter_faktor_aktiv'] },
  response: component('ZweiterFaktorGeheimnis', 'What the authenticator app needs.', {
    geheimnis: field(text(), 'Base32, to type in by hand.'),
    otpauth_uri: field(text(), '`otpauth://totp/…`, to show as a QR code.'),
  }),
});

export const zweiterFaktorBestaetigen = operation({
  id: 'zugang.zweiter_faktor_bestaetigen',
  method: 'POST',
  path: '/v1/cockpit/2fa/bestaetigen',
  summary: 'Schaltet den zweiten Faktor ein; die Wiederherstellungscodes stehen nur in dieser Antwort.',
  description:
    'Switches the second factor on; the recovery codes are in this answer only. All other sessions end.',
  access: { kind: 'session', right: 'selbst' },
  refuses: {
    403: ['code_falsch'],
    409: ['zweiter_faktor_aktiv', 'zweiter_faktor_nicht_begonnen'],
    429: ['zu_viele_versuche'],
  },
  body: component('Code', 'A code of the authenticator app.', {
    code: field(secret({ min: 6, max: 8 }), 'The code the app shows now.'),
  }),
  response: component('Wiederherstellungscodes', 'The second factor is on.', {
    wiederherstellungscodes: field(listOf(text(), 10), 'Codes for when the app is lost; each works once.'),
    beendete_sitzungen: beendeteSitzungen(),
  }),
});

export const zweiterFaktorEntfernen = operation({
  id: 'zugang.zweiter_faktor_entfernen',
  method: 'DELETE',
  path: '/v1/cockpit/2fa',
  summary: 'Schaltet den zweiten Faktor aus; das eigene Passwort und ein Code sind nötig.',
  description:
    'Switches the second factor off; needs the own password and a code of it. 403 `code_noetig` asks for the code.',
  access: { kind: 'session', right: 'selbst' },
  refuses: {
    403: ['passwort_falsch', 'code_noetig', 'code_falsch'],
    409: ['passwort_fehlt', 'zweiter_faktor_fehlt'],
    429: ['zu_viele_versuche'],
  },
  body: component('Passwort', 'Proof that it is the user who asks.', {
    passwort: passwort(),
    code: EigenerCode,
  }),
  response: component('ZweiterFaktor', 'Whether there is a second factor.', {
    zweiter_faktor: field(boolean(), 'Always false.'),
  }),
});
