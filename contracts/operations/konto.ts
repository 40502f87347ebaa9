/** The account of a Mandant: master data, keys, branding, alarm channels, cancellation. */
import {
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

export const Bereich = oneOf('Senden', 'Lesen');

export const SchluesselEingabe = Type.Object({
  name: textWithDefault('standard', { min: 1, max: 120 }),
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
      /** Address of the user who accepted it; null when that user is gone. */
      avv_akzeptiert_von: nullable(text()),
      /** Version of the text that was accepted, e.g. `1`. */
      avv_fassung: nullable(text()),
      erstellt_am: datetime(),
    }),
    schluessel: Type.Array(Schluessel),
    branding: Branding,
    alarme: Alarmkanaele,
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
