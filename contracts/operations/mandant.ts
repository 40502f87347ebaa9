/** Settings of a Mandant: branding, data-processing agreement, alarm channels. */
import { datetime, email, nullable, operation, optional, secret, Type, text } from '../kit/index.ts';

/** How the Mandant appears to its end customers. */
export const Branding = Type.Object({
  name: nullable(text()),
  /** `#rrggbb`. */
  farbe: nullable(text()),
  logo_url: nullable(text()),
  fusszeile: nullable(text()),
});

/** A field left out stays as it is; null or an empty text clears it. */
export const BrandingEingabe = Type.Object({
  name: optional(text({ max: 120 })),
  farbe: optional(text({ max: 7 })),
  logo_url: optional(text({ max: 2000 })),
  fusszeile: optional(text({ max: 500 })),
});

/** Where alarms go. Addresses that hold a secret are shown by their host only. */
export const Alarmkanaele = Type.Object({
  email: Type.Array(text()),
  chatA_webhook: nullable(text()),
  chatB_webhook: nullable(text()),
  push_url: nullable(text()),
  webhook_url: nullable(text()),
});

/** A field left out stays as it is; null or an empty text removes the channel. */
export const AlarmkanaeleEingabe = Type.Object({
  email: Type.Optional(Type.Array(email(), { maxItems: 20 })),
  chatA_webhook: optional(secret({ max: 2000 })),
  chatB_webhook: optional(secret({ max: 2000 })),
  push_url: optional(secret({ max: 2000 })),
  webhook_url: optional(secret({ max: 2000 })),
});

export const brandingSetzen = operation({
  id: 'mandant.branding_setzen',
  method: 'PUT',
  path: '/v1/cockpit/konto/branding',
  summary: 'Setzt Name, Farbe, Logo und Fußzeile, wie sie Endkunden sehen.',
  access: { kind: 'session', right: 'konto.verwalten' },
  body: BrandingEingabe,
  response: Branding,
});

export const brandingLogo = operation({
  id: 'mandant.branding_logo',
  method: 'GET',
  path: '/v1/cockpit/konto/branding/logo',
  summary: 'Das Logo, vom Dienst geholt und geprüft (PNG oder JPEG, höchstens 512 KiB).',
  access: { kind: 'session', right: 'konto.lesen' },
  media: ['image/png', 'image/jpeg'],
  response: text(),
});

export const avvAkzeptieren = operation({
  id: 'mandant.avv_akzeptieren',
  method: 'POST',
  path: '/v1/cockpit/konto/avv',
  summary:
    'Nimmt die geltende Fassung des Vertrags zur Auftragsverarbeitung an; wiederholt bleibt es beim ersten Mal.',
  access: { kind: 'session', right: 'konto.verwalten' },
  response: Type.Object({ avv_akzeptiert_am: datetime(), avv_fassung: text() }),
});

export const alarmeSetzen = operation({
  id: 'mandant.alarme_setzen',
  method: 'PUT',
  path: '/v1/cockpit/mandant/alarme',
  summary: 'Setzt, wohin Alarme gehen.',
  access: { kind: 'session', right: 'konto.verwalten' },
  body: AlarmkanaeleEingabe,
  response: Alarmkanaele,
});
