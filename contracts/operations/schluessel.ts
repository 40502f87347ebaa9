/** API keys. */
import {
  component,
  datetime,
  field,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  preset,
  Type,
  text,
  uuid,
} from '../kit/index.ts';

export const Bereich = oneOf('Senden', 'Lesen');

export const SchluesselEingabe = component('SchluesselEingabe', 'A key to create.', {
  name: preset(field(text({ min: 1, max: 120 }), 'What the key is for.', 'Produktion'), 'standard'),
  bereiche: field(
    optional(Type.Array(Bereich, { minItems: 1, maxItems: 2 })),
    'What the key may do: `Senden` delivers events, `Lesen` reads. Both when left out.',
    ['Senden'],
  ),
  projekt: field(
    optional(text({ min: 1, max: 100 })),
    'Project of events that name none, neither themselves nor by their agent.',
    'support',
  ),
});

export const Schluessel = component(
  'Schluessel',
  'A key as it may be shown at any time: never the secret itself.',
  {
    schluessel_id: field(uuid(), 'Names the key.'),
    name: field(text(), 'What the key is for.', 'Produktion'),
    anzeige: field(text(), 'Visible beginning and last four characters.', 'zw_live_k3…x9Qa'),
    bereiche: field(listOf(Bereich, 2), 'What the key may do.'),
    status: field(oneOf('aktiv', 'gesperrt'), 'A blocked key is refused, and stays blocked.'),
    erstellt_am: field(datetime(), 'When it was created.'),
    gesperrt_am: field(nullable(datetime()), 'When it was blocked; null while it works.'),
    zuletzt_benutzt_am: field(nullable(datetime()), 'When it was last used; null when it never was.'),
  },
);

export const SchluesselNeu = component('SchluesselNeu', 'A key that was just created, with its secret.', {
  ...Schluessel.properties,
  schluessel: field(text(), 'The whole key; shown in this answer only.'),
});

export const schluesselAnlegen = operation({
  id: 'schluessel.anlegen',
  method: 'POST',
  path: '/v1/cockpit/konto/schluessel',
  summary: 'Legt einen API-Schlüssel an; er wird nur in dieser Antwort gezeigt.',
  description: 'Creates an API key. The key itself is in this answer only; the service keeps a hash.',
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
  description: 'Blocks an API key for good; within a second it is refused everywhere.',
  access: { kind: 'session', right: 'schluessel.verwalten' },
  params: Type.Object({ schluessel_id: field(uuid(), 'The key to block.') }),
  response: Schluessel,
});
