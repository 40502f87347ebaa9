/** The users of a Mandant and their invitations. */
import {
  boolean,
  component,
  datetime,
  email,
  field,
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
import { Ich, Rolle } from './zugang.ts';

export const Benutzer = component('Benutzer', 'A user of the Mandant.', {
  benutzer_id: field(uuid(), 'Names the user.'),
  email: field(text(), 'Address the user signs in with.', 'anna@example.org'),
  name: field(nullable(text()), 'Name to show; null when none is entered.', 'Anna Muster'),
  rolle: field(Rolle, 'What the user may do.'),
  aktiv: field(boolean(), 'False for users whose access is switched off.'),
  zweiter_faktor: field(boolean(), 'Whether login asks for a code.'),
  erstellt_am: field(datetime(), 'When the user came.'),
  zuletzt_am: field(
    nullable(datetime()),
    'Last use of any session that still exists; null when there is none.',
  ),
});

export const Einladung = component('Einladung', 'An invitation that is not accepted yet.', {
  einladung_id: field(uuid(), 'Names the invitation.'),
  email: field(text(), 'Who is invited.', 'bernd@example.org'),
  rolle: field(Rolle, 'The role the invited will have.'),
  eingeladen_von: field(nullable(text()), 'Address of who invited; null when that user is gone.'),
  status: field(oneOf('offen', 'abgelaufen'), 'Whether its link still works.'),
  erstellt_am: field(datetime(), 'When it was sent.'),
  gueltig_bis: field(datetime(), 'Until when its link works.'),
});

export const EinladungNeu = component('EinladungNeu', 'An invitation that was just sent.', {
  ...Einladung.properties,
  mail_gehalten: field(
    boolean(),
    'Whether the mail leaves only when an inhaber of the Mandant has confirmed the own address.',
  ),
  link: Type.Optional(
    field(text(), 'Only on a machine for trying out (`NODE_ENV`); otherwise the link is in the mail alone.'),
  ),
});

export const benutzerListe = operation({
  id: 'benutzer.liste',
  method: 'GET',
  path: '/v1/cockpit/benutzer',
  summary: 'Die Benutzer des Mandanten und die offenen Einladungen.',
  description:
    'The users of the Mandant and the invitations that are open, page by page: first all users, then the invitations; a page may hold both.',
  access: { kind: 'session', right: 'benutzer.verwalten' },
  query: Type.Object(pageQuery()),
  response: component('Benutzerliste', 'Who has access, and who is invited.', {
    benutzer: field(rowsOf(Benutzer), 'The users, oldest first.'),
    einladungen: field(
      rowsOf(Einladung),
      'The invitations, oldest first; they follow when all users were shown.',
    ),
    weiter,
  }),
});

export const benutzerEinladen = operation({
  id: 'benutzer.einladen',
  method: 'POST',
  path: '/v1/cockpit/benutzer/einladen',
  summary: 'Lädt jemanden ein; eine offene Einladung derselben Adresse wird ersetzt.',
  description:
    'Invites somebody by mail; an open invitation of the same address is replaced. Nobody can give a role above the own one.',
  access: { kind: 'session', right: 'benutzer.verwalten' },
  refuses: {
    409: ['email_vergeben', 'paketgrenze_erreicht', 'hoechstzahl_erreicht'],
    429: ['zu_viele_versuche', 'post_ausgeschoepft'],
  },
  body: component('Einladen', 'Whom to invite.', {
    email: field(email(), 'Address the invitation goes to.', 'bernd@example.org'),
    rolle: preset(
      field(
        oneOf('betrachter', 'buchhaltung', 'bearbeiter', 'verwalter', 'inhaber'),
        'The role the invited will have.',
      ),
      'betrachter',
    ),
  }),
  response: EinladungNeu,
});

export const einladungZurueckziehen = operation({
  id: 'benutzer.einladung_zurueckziehen',
  method: 'DELETE',
  path: '/v1/cockpit/benutzer/einladungen/{einladung_id}',
  summary: 'Zieht eine Einladung zurück; ihr Link gilt nicht mehr.',
  description: 'Withdraws an invitation; its link no longer works.',
  access: { kind: 'session', right: 'benutzer.verwalten' },
  params: Type.Object({ einladung_id: field(uuid(), 'The invitation.') }),
  response: component('EinladungZurueckgezogen', 'That an invitation is withdrawn.', {
    zurueckgezogen: field(boolean(), 'Always true.'),
  }),
});

export const benutzerAendern = operation({
  id: 'benutzer.aendern',
  method: 'PUT',
  path: '/v1/cockpit/benutzer/{benutzer_id}',
  summary: 'Ändert Rolle, Name oder Zugang eines Benutzers.',
  description:
    'Changes role, name or access of a user; another role or no access ends the sessions of the user. The last active inhaber has to stay.',
  access: { kind: 'session', right: 'benutzer.verwalten' },
  refuses: { 409: ['letzter_inhaber', 'email_vergeben'] },
  params: Type.Object({ benutzer_id: field(uuid(), 'The user.') }),
  body: component('BenutzerAendern', 'What to change; a field left out or null stays.', {
    rolle: field(optional(Rolle), 'The new role.'),
    aktiv: field(optional(boolean()), 'False switches the access off.'),
    name: field(optional(text({ min: 1, max: 120 })), 'Name to show.', 'Anna Muster'),
  }),
  response: Benutzer,
});

export const benutzerEntfernen = operation({
  id: 'benutzer.entfernen',
  method: 'DELETE',
  path: '/v1/cockpit/benutzer/{benutzer_id}',
  summary: 'Entfernt einen Benutzer; seine Sitzungen enden.',
  description: 'Removes a user; the sessions of the user end. The last active inhaber has to stay.',
  access: { kind: 'session', right: 'benutzer.verwalten' },
  refuses: { 409: ['letzter_inhaber'] },
  params: Type.Object({ benutzer_id: field(uuid(), 'The user.') }),
  response: component('BenutzerEntfernt', 'That a user is removed.', {
    entfernt: field(boolean(), 'Always true.'),
  }),
});

export const einladungLesen = operation({
  id: 'benutzer.einladung',
  method: 'GET',
  path: '/v1/einladung',
  summary: 'Wozu eine Einladung einlädt.',
  description: 'What an invitation invites to, for the holder of its link.',
  access: { kind: 'public' },
  refuses: { 404: ['einladung_ungueltig'] },
  query: Type.Object({ token: field(secret({ max: 200 }), 'The secret of the link.') }),
  response: component('EinladungLesen', 'What an invitation invites to.', {
    email: field(text(), 'Who is invited.', 'bernd@example.org'),
    rolle: field(Rolle, 'The role the invited will have.'),
    firma: field(text(), 'The company that invites.', 'Muster GmbH'),
    gueltig_bis: field(datetime(), 'Until when the link works.'),
    ersetzt_konto: field(
      boolean(),
      'Whether there is another account with this address that nobody has confirmed: accepting ends it, and everything in it is removed after 30 days unless somebody else can still sign in to it.',
    ),
  }),
});

export const einladungAnnehmen = operation({
  id: 'benutzer.einladung_annehmen',
  method: 'POST',
  path: '/v1/einladung/annehmen',
  summary: 'Nimmt eine Einladung an und meldet den neuen Benutzer an.',
  description: 'Accepts an invitation: makes the user and signs in, with the session in a cookie.',
  access: { kind: 'public' },
  refuses: {
    401: ['anmeldung_falsch'],
    404: ['einladung_ungueltig'],
    409: ['email_vergeben'],
    429: ['zu_viele_versuche'],
  },
  body: component('EinladungAnnehmen', 'The acceptance of an invitation.', {
    token: field(secret({ min: 16, max: 200 }), 'The secret of the link.'),
    name: field(text({ min: 1, max: 120 }), 'Name to show.', 'Bernd Beispiel'),
    passwort: field(
      secret({ min: 10, max: 200 }),
      'The password to sign in with from now on; one that is easy to guess is refused (422 `value_error`).',
    ),
  }),
  response: Ich,
});
