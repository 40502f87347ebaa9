/** Leaving: the cancellation of an account. */
import { count, datetime, oneOf, operation, secret, Type, textWithDefault } from '../kit/index.ts';

export const Kontoloeschung = Type.Object({
  passwort: secret({ max: 200 }),
  /** What the user typed to confirm; kept in the audit log. */
  bestaetigung: textWithDefault('', { max: 200 }),
});

export const kontoKuendigen = operation({
  id: 'kuendigung.kuendigen',
  method: 'DELETE',
  path: '/v1/cockpit/konto',
  summary:
    'Kündigt das Konto: Schlüssel und Sitzungen enden sofort, nach 30 Tagen werden alle Daten gelöscht.',
  access: { kind: 'session', right: 'konto.kuendigen' },
  body: Kontoloeschung,
  response: Type.Object({
    status: oneOf('gekündigt'),
    gekuendigt_am: datetime(),
    /** From then on everything of the Mandant is removed for good. */
    loeschung_ab: datetime(),
    gesperrte_schluessel: count(),
    beendete_sitzungen: count(),
  }),
});
