/** Accounts, sessions, keys. */
import {
  boolean,
  datetime,
  email,
  nullable,
  oneOf,
  operation,
  optional,
  secret,
  Type,
  text,
  uuid,
} from '../kit/index.ts';

export const Rolle = oneOf('inhaber', 'verwalter', 'bearbeiter', 'buchhaltung', 'betrachter');
export const Bereich = oneOf('Senden', 'Lesen');

export const Anmeldung = Type.Object({
  email: text({ max: 254 }),
  passwort: secret({ max: 200 }),
  /** Second-factor code; ignored for users who have none. */
  code: optional(text({ max: 8 })),
});

export const Registrierung = Type.Object({
  firma: text({ min: 2, max: 120 }),
  email: email(),
  passwort: secret({ min: 10, max: 200 }),
  paket: Type.Optional(Type.String({ default: 'frei', maxLength: 60 })),
  avv_akzeptiert: Type.Optional(boolean({ default: false })),
});

/** Who is signed in, for which Mandant, and what they may do. */
export const Ich = Type.Object({
  benutzer: Type.Object({ benutzer_id: uuid(), email: text(), name: nullable(text()), rolle: Rolle }),
  mandant: Type.Object({ mandant_id: uuid(), firma: text(), paket: text(), zeitzone: text() }),
  rechte: Type.Array(text()),
});

export const SchluesselEingabe = Type.Object({
  name: Type.Optional(Type.String({ default: 'standard', minLength: 1, maxLength: 120 })),
  bereiche: optional(Type.Array(Bereich, { minItems: 1, maxItems: 2 })),
  /** Project of events that name none, neither themselves nor by their agent. */
  projekt: optional(text({ min: 1, max: 100 })),
});

/** A key as it may be shown at any time: never the secret itself. */
export const Schluessel = Type.Object({
  schluessel_id: uuid(),
  name: text(),
  /** Visible beginning and last four characters, e.g. `zw_live_k3…x9Qa`. */
  anzeige: text(),
  bereiche: Type.Array(Bereich),
  status: oneOf('aktiv', 'gesperrt'),
  erstellt_am: datetime(),
  gesperrt_am: nullable(datetime()),
  zuletzt_benutzt_am: nullable(datetime()),
});

export const SchluesselNeu = Type.Object({
  ...Schluessel.properties,
  /** The whole key; shown in this answer only. */
  schluessel: text(),
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
      erstellt_am: datetime(),
    }),
    schluessel: Type.Array(Schluessel),
  }),
});

export const schluesselAnlegen = operation({
  id: 'zugang.schluessel_anlegen',
  method: 'POST',
  path: '/v1/cockpit/konto/schluessel',
  summary: 'Legt einen API-Schlüssel an; er wird nur in dieser Antwort gezeigt.',
  access: { kind: 'session', right: 'schluessel.verwalten' },
  body: SchluesselEingabe,
  status: 201,
  response: SchluesselNeu,
});

export const schluesselSperren = operation({
  id: 'zugang.schluessel_sperren',
  method: 'DELETE',
  path: '/v1/cockpit/konto/schluessel/{schluessel_id}',
  summary: 'Sperrt einen API-Schlüssel; das lässt sich nicht zurücknehmen.',
  access: { kind: 'session', right: 'schluessel.verwalten' },
  params: Type.Object({ schluessel_id: uuid() }),
  response: Schluessel,
});
