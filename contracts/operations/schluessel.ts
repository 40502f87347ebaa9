/** API keys. */
import {
  datetime,
  nullable,
  oneOf,
  operation,
  optional,
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

export const schluesselAnlegen = operation({
  id: 'schluessel.anlegen',
  method: 'POST',
  path: '/v1/cockpit/konto/schluessel',
  summary: 'Legt einen API-Schlüssel an; er wird nur in dieser Antwort gezeigt.',
  access: { kind: 'session', right: 'schluessel.verwalten' },
  body: SchluesselEingabe,
  status: 201,
  response: SchluesselNeu,
});

export const schluesselSperren = operation({
  id: 'schluessel.sperren',
  method: 'DELETE',
  path: '/v1/cockpit/konto/schluessel/{schluessel_id}',
  summary: 'Sperrt einen API-Schlüssel; das lässt sich nicht zurücknehmen.',
  access: { kind: 'session', right: 'schluessel.verwalten' },
  params: Type.Object({ schluessel_id: uuid() }),
  response: Schluessel,
});
