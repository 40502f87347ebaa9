/** API keys. */
import {
  component,
  datetime,
  field,
  integer,
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

/** The largest quota that can be set. */
export const MAX_QUOTA = 999_999_999;
const quota = () => integer({ min: 1, max: MAX_QUOTA });
const REQUESTS = 'Requests it may make in a minute, those that send and those that read each for themselves';
const EVENTS = 'Events it may send in a minute';

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
  anfragen_je_minute: field(optional(quota()), `${REQUESTS}; without limit when left out.`, 600),
  ereignisse_je_minute: field(optional(quota()), `${EVENTS}; without limit when left out.`, 60_000),
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
    anfragen_je_minute: field(nullable(quota()), `${REQUESTS}; null without limit.`, 600),
    ereignisse_je_minute: field(nullable(quota()), `${EVENTS}; null without limit.`, 60_000),
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
  refuses: { 409: ['hoechstzahl_erreicht'] },
  body: SchluesselEingabe,
  status: 201,
  response: SchluesselNeu,
});

export const schluesselAendern = operation({
  id: 'schluessel.aendern',
  method: 'PUT',
  path: '/v1/cockpit/konto/schluessel/{schluessel_id}',
  summary: 'Ändert das Kontingent eines API-Schlüssels.',
  description:
    'Changes what an API key may send in a minute: null takes a limit away, one that is left out stays. It holds within a second. Beyond it requests answer 429 with `Retry-After`; what all keys of a Mandant may send together is up to the operator.',
  access: { kind: 'session', right: 'schluessel.verwalten' },
  params: Type.Object({ schluessel_id: field(uuid(), 'The key to change.') }),
  body: component('SchluesselAenderung', 'What a key may send.', {
    anfragen_je_minute: Type.Optional(field(nullable(quota()), `${REQUESTS}; null without limit.`, 600)),
    ereignisse_je_minute: Type.Optional(field(nullable(quota()), `${EVENTS}; null without limit.`, 60_000)),
  }),
  response: Schluessel,
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
