/** Passwords: change, reset; and the second factor. */
import { boolean, count, operation, secret, Type, text } from '../kit/index.ts';

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
