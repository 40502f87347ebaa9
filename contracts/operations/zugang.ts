/** Registration, login, sessions. */
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
