/** Packages: booking, the payment provider's portal and callback, the licence of a self-hosted installation. */
import { boolean, datetime, nullable, oneOf, operation, record, Type, text, uuid } from '../kit/index.ts';

/** An address of the payment provider the browser goes to. */
const Adresse = Type.Object({ adresse: text() });

export const buchen = operation({
  id: 'buchung.buchen',
  method: 'POST',
  path: '/v1/cockpit/konto/buchen',
  summary: 'Beginnt die Buchung eines Pakets beim Zahlungsanbieter.',
  access: { kind: 'session', right: 'konto.buchen' },
  body: Type.Object({ paket: text({ max: 60 }) }),
  response: Adresse,
});

export const portal = operation({
  id: 'buchung.portal',
  method: 'POST',
  path: '/v1/cockpit/konto/portal',
  summary: 'Öffnet das Kundenportal des Zahlungsanbieters.',
  access: { kind: 'session', right: 'konto.buchen' },
  response: Adresse,
});

export const zahlungEmpfangen = operation({
  id: 'buchung.zahlung_empfangen',
  method: 'POST',
  path: '/v1/payprovider/webhook',
  summary: 'Rückmeldung des Zahlungsanbieters, mit seiner Unterschrift.',
  access: { kind: 'public' },
  body: record(),
  response: Type.Object({ empfangen: boolean() }),
});

export const Paket = Type.Object({
  paket: text(),
  name: text(),
  /** False for packages that come by licence or by agreement only. */
  buchbar: boolean(),
});

export const lizenzLesen = operation({
  id: 'buchung.lizenz',
  method: 'GET',
  path: '/v1/cockpit/lizenz',
  summary: 'Das Paket des Mandanten, woher es kommt, und die Lizenz der Installation.',
  access: { kind: 'session', right: 'konto.lesen' },
  response: Type.Object({
    paket: text(),
    paket_bis: nullable(datetime()),
    abrechnungsstatus: oneOf('keine', 'aktiv', 'probe', 'zahlung_offen', 'gekündigt'),
    quelle: oneOf('frei', 'buchung', 'lizenz', 'betreiber'),
    /** Whether packages can be booked here. */
    buchung_moeglich: boolean(),
    pakete: Type.Array(Paket),
    /** Null when the installation has none. */
    lizenz: nullable(
      Type.Object({
        /** Null, like what follows, when the licence is invalid: nothing it says is believed then. */
        lizenz_id: nullable(uuid()),
        kunde: nullable(text()),
        paket: nullable(text()),
        /** Null also for a licence without end. */
        gueltig_bis: nullable(datetime()),
        status: oneOf('gültig', 'abgelaufen', 'gesperrt', 'ungültig'),
      }),
    ),
  }),
});
