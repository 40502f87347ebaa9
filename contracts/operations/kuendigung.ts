/** Leaving: the cancellation of an account, and taking it back. */
import {
  component,
  count,
  datetime,
  field,
  oneOf,
  operation,
  preset,
  secret,
  Type,
  text,
  uuid,
} from '../kit/index.ts';
import { EigenerCode } from './zugang.ts';

export const Kontoloeschung = component('Kontoloeschung', 'The confirmation of a cancellation.', {
  passwort: field(secret({ max: 200 }), 'Own password of the user who cancels.'),
  code: EigenerCode,
  bestaetigung: preset(
    field(text({ max: 200 }), 'What the user typed to confirm; kept in the audit log.'),
    '',
  ),
});

export const kontoKuendigen = operation({
  id: 'kuendigung.kuendigen',
  method: 'DELETE',
  path: '/v1/cockpit/konto',
  summary:
    'Kündigt das Konto: Schlüssel und Sitzungen enden sofort, nach 30 Tagen werden alle Daten gelöscht.',
  description:
    'Cancels the account of the Mandant. All keys are blocked and all sessions end at once; after 30 days everything is removed for good. Until then the operator can take it back. 403 `code_noetig` asks for the code of the second factor.',
  access: { kind: 'session', right: 'konto.kuendigen' },
  refuses: {
    403: ['passwort_falsch', 'code_noetig', 'code_falsch'],
    409: ['passwort_fehlt', 'schon_gekuendigt'],
    429: ['zu_viele_versuche'],
  },
  body: Kontoloeschung,
  response: component('Kuendigung', 'What the cancellation did.', {
    status: field(oneOf('gekündigt'), 'The state of the account.'),
    gekuendigt_am: field(datetime(), 'When it was cancelled.'),
    loeschung_ab: field(datetime(), 'From then on everything of the Mandant is removed for good.'),
    gesperrte_schluessel: field(count(), 'Keys that were blocked.', 2),
    beendete_sitzungen: field(count(), 'Sessions that ended.', 3),
  }),
});

export const mandantReaktivieren = operation({
  id: 'kuendigung.zuruecknehmen',
  method: 'POST',
  path: '/v1/betreiber/mandanten/{mandant_id}/reaktivieren',
  summary: 'Nimmt die Kündigung eines Mandanten zurück, solange noch nichts gelöscht ist.',
  description:
    'Takes the cancellation of a Mandant back, as long as nothing is removed: 30 days. Keys that the cancellation blocked work again; all users sign in anew; a booking is gone for good.',
  access: { kind: 'operator' },
  refuses: { 409: ['nicht_gekuendigt', 'frist_abgelaufen', 'lizenz_ausgeschoepft'] },
  params: Type.Object({ mandant_id: field(uuid(), 'Names the Mandant.') }),
  response: component('Ruecknahme', 'What taking it back did.', {
    status: field(oneOf('aktiv'), 'The state of the Mandant.'),
    entsperrte_schluessel: field(count(), 'Keys that work again.', 2),
    ohne_adresse: field(
      count(),
      'Users who cannot sign in, because their address belongs to somebody else now.',
      0,
    ),
  }),
});
