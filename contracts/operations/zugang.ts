/** Registration, login, sessions, passwords and the second factor. */
import {
  boolean,
  count,
  datetime,
  email,
  nullable,
  oneOf,
  operation,
  optional,
  secret,
  Type,
  text,
  textWithDefault,
  uuid,
} from '../kit/index.ts';
import { Alarmkanaele, Branding } from './mandant.ts';
import { Schluessel } from './schluessel.ts';

export const Rolle = oneOf('inhaber', 'verwalter', 'bearbeiter', 'buchhaltung', 'betrachter');

export const Anmeldung = Type.Object({
  email: text({ max: 254 }),
  passwort: secret({ max: 200 }),
  /** Code of the second factor, or one of the recovery codes; ignored for users who have no second factor. */
  code: optional(secret({ max: 20 })),
});

export const Registrierung = Type.Object({
  firma: text({ min: 2, max: 120 }),
  email: email(),
  passwort: secret({ min: 10, max: 200 }),
  paket: textWithDefault('frei', { max: 60 }),
  avv_akzeptiert: Type.Optional(boolean({ default: false })),
});

/** Who is signed in, for which Mandant, and what they may do. */
export const Ich = Type.Object({
  benutzer: Type.Object({
    benutzer_id: uuid(),
    email: text(),
    name: nullable(text()),
    rolle: Rolle,
    /** Whether login asks for a code. */
    zweiter_faktor: boolean(),
    /** Recovery codes not yet used; 0 without a second factor. */
    wiederherstellungscodes: count(),
    /** False for users who have only ever signed in by company account. */
    passwort_gesetzt: boolean(),
    /** Operator of the installation. */
    betreiber: boolean(),
  }),
  mandant: Type.Object({ mandant_id: uuid(), firma: text(), paket: text(), zeitzone: text() }),
  rechte: Type.Array(text()),
});

export const registrieren = operation({
  id: 'zugang.registrieren',
  method: 'POST',
  path: '/v1/registrieren',
  summary: 'Legt einen Mandanten mit seinem Inhaber an und meldet ihn an.',
  access: { kind: 'public' },
  body: Registrierung,
  status: 201,
  response: Ich,
});

export const anmelden = operation({
  id: 'zugang.anmelden',
  method: 'POST',
  path: '/v1/anmelden',
  summary: 'Meldet einen Benutzer an; die Sitzung steht im Cookie.',
  access: { kind: 'public' },
  body: Anmeldung,
  response: Ich,
});

export const abmelden = operation({
  id: 'zugang.abmelden',
  method: 'POST',
  path: '/v1/abmelden',
  summary: 'Beendet die Sitzung.',
  access: { kind: 'public' },
  response: Type.Object({ abgemeldet: boolean() }),
});

export const ich = operation({
  id: 'zugang.ich',
  method: 'GET',
  path: '/v1/ich',
  summary: 'Sagt, wer angemeldet ist.',
  access: { kind: 'session', right: 'selbst' },
  response: Ich,
});

/** One login of a user: where from, and when it was last used. */
export const Sitzung = Type.Object({
  sitzung_id: uuid(),
  /** The session that asks. */
  diese: boolean(),
  /** Network address of the login; null when it is not known. */
  adresse: nullable(text()),
  /** What the browser says it is; null when it says nothing. */
  geraet: nullable(text()),
  erstellt_am: datetime(),
  zuletzt_am: datetime(),
});

export const sitzungen = operation({
  id: 'zugang.sitzungen',
  method: 'GET',
  path: '/v1/cockpit/sitzungen',
  summary: 'Die laufenden Sitzungen des angemeldeten Benutzers.',
  access: { kind: 'session', right: 'selbst' },
  response: Type.Object({ sitzungen: Type.Array(Sitzung) }),
});

export const sitzungBeenden = operation({
  id: 'zugang.sitzung_beenden',
  method: 'DELETE',
  path: '/v1/cockpit/sitzungen/{sitzung_id}',
  summary: 'Beendet eine eigene Sitzung.',
  access: { kind: 'session', right: 'selbst' },
  params: Type.Object({ sitzung_id: uuid() }),
  response: Type.Object({ beendet: count() }),
});

export const andereSitzungenBeenden = operation({
  id: 'zugang.andere_sitzungen_beenden',
  method: 'DELETE',
  path: '/v1/cockpit/sitzungen',
  summary: 'Beendet alle eigenen Sitzungen außer dieser.',
  access: { kind: 'session', right: 'selbst' },
  response: Type.Object({ beendet: count() }),
});

const neuesPasswort = () => secret({ min: 10, max: 200 });

export const passwortVergessen = operation({
  id: 'zugang.passwort_vergessen',
  method: 'POST',
  path: '/v1/passwort/vergessen',
  summary: 'Schickt einen Link zum Zurücksetzen, wenn es die Adresse gibt; die Antwort ist immer dieselbe.',
  access: { kind: 'public' },
  body: Type.Object({ email: text({ max: 254 }) }),
  response: Type.Object({
    detail: text(),
    /** Only on a machine for trying out (`NODE_ENV`); for an unknown address it leads nowhere. */
    link: Type.Optional(text()),
  }),
});

export const passwortNeu = operation({
  id: 'zugang.passwort_neu',
  method: 'POST',
  path: '/v1/passwort/neu',
  summary: 'Setzt ein neues Passwort mit dem Link aus der Mail; alle Sitzungen enden.',
  access: { kind: 'public' },
  body: Type.Object({ token: secret({ min: 16, max: 200 }), passwort: neuesPasswort() }),
  response: Type.Object({ geaendert: boolean() }),
});

export const passwortAendern = operation({
  id: 'zugang.passwort_aendern',
  method: 'PUT',
  path: '/v1/cockpit/passwort',
  summary: 'Ändert das eigene Passwort; alle anderen Sitzungen enden.',
  access: { kind: 'session', right: 'selbst' },
  body: Type.Object({ alt: secret({ max: 200 }), neu: neuesPasswort() }),
  response: Type.Object({ geaendert: boolean(), beendete_sitzungen: count() }),
});

export const zweiterFaktorEinrichten = operation({
  id: 'zugang.zweiter_faktor_einrichten',
  method: 'POST',
  path: '/v1/cockpit/2fa/einrichten',
  summary: 'Beginnt die Einrichtung des zweiten Faktors; er gilt erst nach der Bestätigung.',
  access: { kind: 'session', right: 'selbst' },
  response: Type.Object({
    /** Base32, to type in by hand. */
    geheimnis: text(),
    /** `otpauth://totp/…`, to show as a QR code. */
    otpauth_uri: text(),
  }),
});

export const zweiterFaktorBestaetigen = operation({
  id: 'zugang.zweiter_faktor_bestaetigen',
  method: 'POST',
  path: '/v1/cockpit/2fa/bestaetigen',
  summary: 'Schaltet den zweiten Faktor ein; die Wiederherstellungscodes stehen nur in dieser Antwort.',
  access: { kind: 'session', right: 'selbst' },
  body: Type.Object({ code: secret({ min: 6, max: 8 }) }),
  response: Type.Object({ wiederherstellungscodes: Type.Array(text()), beendete_sitzungen: count() }),
});

export const zweiterFaktorEntfernen = operation({
  id: 'zugang.zweiter_faktor_entfernen',
  method: 'DELETE',
  path: '/v1/cockpit/2fa',
  summary: 'Schaltet den zweiten Faktor aus; das eigene Passwort ist nötig.',
  access: { kind: 'session', right: 'selbst' },
  body: Type.Object({ passwort: secret({ max: 200 }) }),
  response: Type.Object({ zweiter_faktor: boolean() }),
});

export const kontoLesen = operation({
  id: 'zugang.konto_lesen',
  method: 'GET',
  path: '/v1/cockpit/konto',
  summary: 'Das Konto des Mandanten mit seinen Schlüsseln.',
  access: { kind: 'session', right: 'konto.lesen' },
  response: Type.Object({
    mandant: Type.Object({
      mandant_id: uuid(),
      firma: text(),
      paket: text(),
      paket_bis: nullable(datetime()),
      status: oneOf('aktiv', 'gekündigt'),
      zeitzone: text(),
      avv_akzeptiert_am: nullable(datetime()),
      /** Address of the user who accepted it; null when that user is gone. */
      avv_akzeptiert_von: nullable(text()),
      /** Version of the text that was accepted, e.g. `1`. */
      avv_fassung: nullable(text()),
      erstellt_am: datetime(),
    }),
    schluessel: Type.Array(Schluessel),
    branding: Branding,
    alarme: Alarmkanaele,
  }),
});
