/** Packages: booking, the payment provider's portal and callback, the licence of a self-hosted installation. */
import {
  boolean,
  component,
  count,
  datetime,
  field,
  listOf,
  nullable,
  oneOf,
  operation,
  record,
  text,
  uuid,
} from '../kit/index.ts';

const Adresse = component('Adresse', 'Where the browser goes next.', {
  adresse: field(text(), 'Address of a page of the payment provider.'),
});

export const buchen = operation({
  id: 'buchung.buchen',
  method: 'POST',
  path: '/v1/cockpit/konto/buchen',
  summary: 'Beginnt die Buchung eines Pakets beim Zahlungsanbieter.',
  description:
    'Begins the booking of a package at the payment provider. What was paid comes back by its callback, not by this answer.',
  access: { kind: 'session', right: 'konto.buchen' },
  refuses: {
    409: ['buchung_nicht_eingerichtet', 'schon_gebucht', 'paket_vom_betreiber'],
    429: ['zu_viele_versuche'],
    502: ['zahlungsanbieter_lehnt_ab'],
    503: ['buchung_in_arbeit', 'zahlungsanbieter_weg'],
  },
  body: component('Buchung', 'A package to book.', {
    paket: field(text({ max: 60 }), 'Short name of the package.', 'team'),
  }),
  response: Adresse,
});

export const portal = operation({
  id: 'buchung.portal',
  method: 'POST',
  path: '/v1/cockpit/konto/portal',
  summary: 'Öffnet das Kundenportal des Zahlungsanbieters.',
  description: 'Opens the portal of the payment provider, where invoices are and a package is changed.',
  access: { kind: 'session', right: 'konto.buchen' },
  refuses: {
    409: ['buchung_nicht_eingerichtet', 'kein_kunde'],
    429: ['zu_viele_versuche'],
    502: ['zahlungsanbieter_lehnt_ab'],
    503: ['zahlungsanbieter_weg'],
  },
  response: Adresse,
});

export const zahlungEmpfangen = operation({
  id: 'buchung.zahlung_empfangen',
  method: 'POST',
  path: '/v1/payprovider/webhook',
  summary: 'Rückmeldung des Zahlungsanbieters, mit seiner Unterschrift.',
  description:
    'Callback of the payment provider. The body is an event in the form of the provider, signed in its header; a repeated one changes nothing.',
  access: { kind: 'public' },
  refuses: {
    400: ['unterschrift_falsch'],
    409: ['buchung_nicht_eingerichtet'],
    502: ['zahlungsanbieter_lehnt_ab'],
    503: ['zahlungsanbieter_weg'],
  },
  body: record(),
  response: component('Empfang', 'That a callback was taken.', {
    empfangen: field(boolean(), 'Always true.'),
  }),
});

export const Paketgrenzen = component('Paketgrenzen', 'What a package is meant for; null is without limit.', {
  ereignisse_monat: field(nullable(count()), 'Events of a local month.', 1_000_000),
  benutzer: field(nullable(count()), 'Active users and open invitations.', 10),
  aufbewahrung_tage: field(nullable(count()), 'Days that single calls are kept at least; sums stay.', 400),
});

/** What not every package has. */
const funktionen = () => listOf(oneOf('eigenes_aussehen', 'firmenkonto'), 20);

export const Paket = component('Paket', 'A package there is.', {
  paket: field(text(), 'Short name.', 'team'),
  name: field(text(), 'Name to show.', 'Team'),
  buchbar: field(boolean(), 'False for packages that come by licence or by agreement only.'),
  grenzen: field(Paketgrenzen, 'What it is meant for.'),
  funktionen: field(
    funktionen(),
    'What it has beside: appearance of one’s own towards end customers, sign-in with a company account.',
  ),
});

const Listenstand = component('Listenstand', 'How the revocation list of the licence stands.', {
  nummer: field(
    nullable(count()),
    'Number of the list that is known; null, like the next two, before the first one.',
    7,
  ),
  ausgestellt_am: field(nullable(datetime()), 'When that list was made.'),
  erreicht_am: field(nullable(datetime()), 'When the list was last reached.'),
  nicht_erreicht_seit: field(
    nullable(datetime()),
    'Since when it has not been reached, or since when the licence is in use if it never was; null while it is reached.',
  ),
  hindernis: field(
    nullable(
      oneOf(
        'nicht_erreichbar',
        'keine_liste',
        'signatur_falsch',
        'aelter',
        'widerspruch',
        'abgelaufen',
        'zukunft',
      ),
    ),
    'Why the last attempt did not reach it: no answer, no list, a wrong signature, an older number than the known one, other contents under the same number, no longer valid, or from the future (then a clock is wrong).',
  ),
  arbeitet_bis: field(datetime(), 'Until when the licence gives its package without the list being reached.'),
});

const Lizenz = component('Lizenz', 'The licence of this installation.', {
  lizenz_id: field(
    nullable(uuid()),
    'Names the licence. Null, like all else but the Mandanten there are, when it is invalid: nothing it says is believed then.',
  ),
  fingerabdruck: field(nullable(text()), 'SHA-256 of the licence.'),
  kunde: field(nullable(text()), 'Whom it was made for.'),
  paket: field(nullable(text()), 'The package it gives every Mandant of the installation.'),
  gueltig_bis: field(nullable(datetime()), 'Until when; null also for a licence without end.'),
  mandanten: field(nullable(count()), 'How many Mandanten it covers.', 3),
  mandanten_belegt: field(count(), 'How many there are that have not cancelled.', 2),
  status: field(
    oneOf('gültig', 'abgelaufen', 'gesperrt', 'ungeprüft', 'ungültig'),
    'Valid, expired, revoked, not held against its revocation list for 14 days, or no licence at all. Only a valid one gives its package.',
  ),
  sperrliste: field(nullable(Listenstand), 'The revocation list it is held against.'),
});

export const lizenzLesen = operation({
  id: 'buchung.lizenz',
  method: 'GET',
  path: '/v1/cockpit/lizenz',
  summary: 'Das Paket des Mandanten, woher es kommt, und die Lizenz der Installation.',
  description: 'The package of the Mandant, where it comes from, and the licence of the installation.',
  access: { kind: 'session', right: 'konto.lesen' },
  response: component('Lizenzstand', 'The package of a Mandant and what else there is.', {
    paket: field(text(), 'Short name of the package in force.', 'frei'),
    paket_bis: field(nullable(datetime()), 'Until when it is paid; null when it does not end.'),
    abrechnungsstatus: field(
      oneOf('keine', 'aktiv', 'probe', 'zahlung_offen', 'gekündigt'),
      'How paying for it stands.',
    ),
    quelle: field(
      oneOf('frei', 'buchung', 'lizenz', 'betreiber'),
      'Where the package comes from: free, booked, licence, or given by the operator.',
    ),
    buchung_moeglich: field(boolean(), 'Whether packages can be booked here.'),
    pakete: field(listOf(Paket, 20), 'Every package there is.'),
    grenzen: field(Paketgrenzen, 'What the package in force is meant for.'),
    funktionen: field(
      funktionen(),
      'What the package in force has beside. Where limits bind, the others cannot be set up; what is set up stays.',
    ),
    verbindlich: field(
      boolean(),
      'Whether the limits bind: not where nothing is sold and nobody has given the Mandant a package, and not under a licence. Events are counted beyond a limit, too; invitations are refused.',
    ),
    nutzung: field(
      component('Paketnutzung', 'What is used of the package.', {
        monat: field(text(), 'The local month, `YYYY-MM`.', '2026-05'),
        ereignisse: field(count(), 'Events of the month so far.', 812_000),
        benutzer: field(count(), 'Active users and open invitations.', 4),
        ereignisse_ab: field(
          nullable(datetime()),
          'From when on single calls are there; null while all of them are.',
        ),
      }),
      'What is used of it.',
    ),
    lizenz: field(nullable(Lizenz), 'Null when the installation has none.'),
  }),
});
