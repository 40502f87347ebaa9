/** The users of a Mandant and their invitations. */
import {
  boolean,
  datetime,
  email,
  nullable,
  oneOf,
  oneOfOrFirst,
  operation,
  optional,
  secret,
  Type,
  text,
  uuid,
} from '../kit/index.ts';
import { Ich, Rolle } from './zugang.ts';

export const Benutzer = Type.Object({
  benutzer_id: uuid(),
  email: text(),
  name: nullable(text()),
  rolle: Rolle,
  aktiv: boolean(),
  zweiter_faktor: boolean(),
  erstellt_am: datetime(),
  /** Last use of any session that still exists; null when there is none. */
  zuletzt_am: nullable(datetime()),
});

export const Einladung = Type.Object({
  einladung_id: uuid(),
  email: text(),
  rolle: Rolle,
  /** Who invited; null when that user is gone. */
  eingeladen_von: nullable(text()),
  status: oneOf('offen', 'abgelaufen'),
  erstellt_am: datetime(),
  gueltig_bis: datetime(),
});

export const EinladungNeu = Type.Object({
  ...Einladung.properties,
  /** Only on a machine for trying out (`NODE_ENV`); otherwise the link is in the mail alone. */
  link: Type.Optional(text()),
});

export const benutzerListe = operation({
  id: 'benutzer.liste',
  method: 'GET',
  path: '/v1/cockpit/benutzer',
  summary: 'Die Benutzer des Mandanten und die offenen Einladungen.',
  access: { kind: 'session', right: 'benutzer.verwalten' },
  response: Type.Object({ benutzer: Type.Array(Benutzer), einladungen: Type.Array(Einladung) }),
});

export const benutzerEinladen = operation({
  id: 'benutzer.einladen',
  method: 'POST',
  path: '/v1/cockpit/benutzer/einladen',
  summary: 'Lädt jemanden ein; eine offene Einladung derselben Adresse wird ersetzt.',
  access: { kind: 'session', right: 'benutzer.verwalten' },
  body: Type.Object({
    email: email(),
    rolle: oneOfOrFirst('betrachter', 'buchhaltung', 'bearbeiter', 'verwalter', 'inhaber'),
  }),
  response: EinladungNeu,
});

export const einladungZurueckziehen = operation({
  id: 'benutzer.einladung_zurueckziehen',
  method: 'DELETE',
  path: '/v1/cockpit/benutzer/einladungen/{einladung_id}',
  summary: 'Zieht eine Einladung zurück; ihr Link gilt nicht mehr.',
  access: { kind: 'session', right: 'benutzer.verwalten' },
  params: Type.Object({ einladung_id: uuid() }),
  response: Type.Object({ zurueckgezogen: boolean() }),
});

export const benutzerAendern = operation({
  id: 'benutzer.aendern',
  method: 'PUT',
  path: '/v1/cockpit/benutzer/{benutzer_id}',
  summary: 'Ändert Rolle, Name oder Zugang eines Benutzers.',
  access: { kind: 'session', right: 'benutzer.verwalten' },
  params: Type.Object({ benutzer_id: uuid() }),
  body: Type.Object({
    rolle: optional(Rolle),
    aktiv: optional(boolean()),
    name: optional(text({ min: 1, max: 120 })),
  }),
  response: Benutzer,
});

export const benutzerEntfernen = operation({
  id: 'benutzer.entfernen',
  method: 'DELETE',
  path: '/v1/cockpit/benutzer/{benutzer_id}',
  summary: 'Entfernt einen Benutzer; seine Sitzungen enden.',
  access: { kind: 'session', right: 'benutzer.verwalten' },
  params: Type.Object({ benutzer_id: uuid() }),
  response: Type.Object({ entfernt: boolean() }),
});

export const einladungLesen = operation({
  id: 'benutzer.einladung',
  method: 'GET',
  path: '/v1/einladung',
  summary: 'Wozu eine Einladung einlädt.',
  access: { kind: 'public' },
  query: Type.Object({ token: secret({ max: 200 }) }),
  response: Type.Object({ email: text(), rolle: Rolle, firma: text(), gueltig_bis: datetime() }),
});

export const einladungAnnehmen = operation({
  id: 'benutzer.einladung_annehmen',
  method: 'POST',
  path: '/v1/einladung/annehmen',
  summary: 'Nimmt eine Einladung an und meldet den neuen Benutzer an.',
  access: { kind: 'public' },
  body: Type.Object({
    token: secret({ min: 16, max: 200 }),
    name: text({ min: 1, max: 120 }),
    passwort: secret({ min: 10, max: 200 }),
  }),
  response: Ich,
});
