/** Alarms: what was told, through which channel, and how that went. */
import { ALARM_KANAELE, ALARM_STATUS } from '../alarms.ts';
import {
  boolean,
  component,
  count,
  date,
  datetime,
  field,
  formed,
  integer,
  listOf,
  nullable,
  oneOf,
  operation,
  pageQuery,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { STUFEN } from '../rule-types.ts';

const kanal = () =>
  field(
    oneOf(...ALARM_KANAELE),
    'The channel, named as in the settings: mail, first chat (Slack), second chat (Microsoft Teams), push (ntfy), general JSON webhook.',
  );

const Wortlaut = component('Wortlaut', 'What is said, in each language of the service.', {
  de: field(text(), 'In German.', 'Ein Lauf dreht sich im Kreis'),
  en: field(text(), 'In English.', 'A run goes in circles'),
});

export const Zustellung = component('Zustellung', 'The delivery of an alarm through one channel.', {
  zustellung_id: field(uuid(), 'Names the delivery.'),
  kanal: kanal(),
  status: field(
    oneOf(...ALARM_STATUS),
    'It waits for its (next) attempt; was delivered (a mail: handed to the mail server’s queue); was given up; or came to nothing, because the channel is gone or never got the alarm that is over now.',
  ),
  versuche: field(count(), 'Attempts so far.', 1),
  antwort_status: field(
    nullable(integer({ min: 100, max: 999 })),
    'HTTP status of the last answer; null when there was none.',
    204,
  ),
  fehler: field(nullable(Wortlaut), 'Why the last attempt failed; null when it did not.'),
  frist: field(datetime(), 'Until when it is tried.'),
  erstellt_am: field(datetime(), 'When it was put in.'),
  versucht_am: field(nullable(datetime()), 'When it was tried last; null when it never was.'),
});

export const AlarmEintrag = component('AlarmEintrag', 'An alarm with its deliveries.', {
  alarm_id: field(uuid(), 'Names the alarm.'),
  art: field(
    oneOf('alarm', 'entwarnung', 'sammlung'),
    'An alarm; that what an alarm told of is over; several alarms that were held, in one.',
  ),
  stufe: field(oneOf(...STUFEN), 'The level of what it tells of.'),
  titel: field(Wortlaut, 'Its headline.'),
  text: field(Wortlaut, 'What is the matter.'),
  pfad: field(text(), 'Path within the cockpit where there is more about it.', '/befunde'),
  zeitpunkt: field(datetime(), 'When it was raised.'),
  gehalten_bis: field(
    nullable(datetime()),
    'Until when people are spared it, by quiet hours or because warnings are collected; null when it went out at once.',
  ),
  sammlung_id: field(
    nullable(uuid()),
    'The `sammlung` it came with; null when it was not held, or is still.',
  ),
  zustellungen: field(listOf(Zustellung, ALARM_KANAELE.length), 'One for each channel.'),
});

export const alarmeListe = operation({
  id: 'alarme.liste',
  method: 'GET',
  path: '/v1/cockpit/alarme',
  summary: 'Die Alarme mit ihren Zustellungen, Neuestes zuerst.',
  description: 'The alarms with their deliveries, newest first, page by page. They are kept for a year.',
  access: { kind: 'session', right: 'verbrauch.lesen' },
  query: Type.Object({
    ...pageQuery(100),
    art: Type.Optional(field(oneOf('alarm', 'entwarnung', 'sammlung'), 'Those of this kind only.')),
    stufe: Type.Optional(field(oneOf(...STUFEN), 'Those of this level only.')),
    kanal: Type.Optional(field(oneOf(...ALARM_KANAELE), 'Those with a delivery through this channel only.')),
    status: Type.Optional(
      field(
        oneOf(...ALARM_STATUS),
        'Those with a delivery of this status only; with `kanal`, that through this channel.',
      ),
    ),
    von: Type.Optional(field(date(), 'First local day.', '2026-03-01')),
    bis: Type.Optional(field(date(), 'Last local day, included.', '2026-03-31')),
  }),
  response: component('Alarmseite', 'A page of alarms.', {
    alarme: field(rowsOf(AlarmEintrag), 'The alarms, newest first.'),
    weiter,
  }),
});

const TIME = '^([01]\\d|2[0-3]):[0-5]\\d$';
const DAYS = 7;

const Ruhestunden = component('Ruhestunden', 'Hours in which warnings are held.', {
  von: field(formed(TIME, 5), 'Local time they begin at.', '22:00'),
  bis: field(
    formed(TIME, 5),
    'Local time they end at, on the next day where it is not after the beginning.',
    '07:00',
  ),
  tage: field(
    Type.Array(integer({ min: 1, max: DAYS }), { minItems: 1, maxItems: DAYS }),
    'Days on which they begin, 1 is Monday.',
    [1, 2, 3, 4, 5],
  ),
});

const sprache = () => oneOf('de', 'en');
const sammeln = () => oneOf('sofort', 'stuendlich', 'taeglich');

export const AlarmEinstellungen = component('AlarmEinstellungen', 'How the Mandant is alarmed.', {
  sprache: field(sprache(), 'Language of the messages.'),
  ruhestunden: field(nullable(Ruhestunden), 'Hours in which warnings are held; null for none.'),
  sammeln: field(
    sammeln(),
    'When warnings come: at once, or collected by the hour or the day. Levels that intervene come at once; those that follow closely upon a message come with those of the next minutes, in one. Through `webhook_url` each comes by itself, at once.',
  ),
  sammeln_um: field(text(), 'Local time at which those collected by the day come.', '08:00'),
  unterschrift_seit: field(
    nullable(datetime()),
    'When the secret was made that the general webhook is signed with; null when there is none, and nothing is signed.',
  ),
  unterschrift_frueher_bis: field(
    nullable(datetime()),
    'Until when the secret before it is signed with as well; null when there is none.',
  ),
});

export const einstellungenLesen = operation({
  id: 'alarme.einstellungen_lesen',
  method: 'GET',
  path: '/v1/cockpit/mandant/alarme/einstellungen',
  summary: 'Wie alarmiert wird: Sprache, Ruhestunden, Sammelmeldungen, Unterschrift des Webhooks.',
  description:
    'How the Mandant is alarmed: language, quiet hours, digests, signature of the general webhook.',
  access: { kind: 'session', right: 'konto.verwalten' },
  response: AlarmEinstellungen,
});

export const einstellungenSetzen = operation({
  id: 'alarme.einstellungen_setzen',
  method: 'PUT',
  path: '/v1/cockpit/mandant/alarme/einstellungen',
  summary: 'Setzt Sprache, Ruhestunden und Sammelmeldungen.',
  description:
    'Sets language, quiet hours and digests. What is held already comes when it was to come before the change.',
  access: { kind: 'session', right: 'konto.verwalten' },
  body: component('AlarmEinstellungenEingabe', 'What to set; a field left out stays as it is.', {
    sprache: Type.Optional(field(sprache(), 'Language of the messages.')),
    ruhestunden: Type.Optional(field(nullable(Ruhestunden), 'Quiet hours; null for none.')),
    sammeln: Type.Optional(field(sammeln(), 'When warnings come.')),
    sammeln_um: Type.Optional(
      field(formed(TIME, 5), 'Local time at which those collected by the day come.', '08:00'),
    ),
  }),
  response: AlarmEinstellungen,
});

export const geheimnisErneuern = operation({
  id: 'alarme.geheimnis_erneuern',
  method: 'POST',
  path: '/v1/cockpit/mandant/alarme/geheimnis',
  summary: 'Macht ein neues Geheimnis, mit dem der Webhook unterschrieben wird; es wird nur hier gezeigt.',
  description:
    'Makes a new secret (Standard Webhooks, `whsec_…`) that the general webhook is signed with. It is shown here only. The one before is signed with as well for 24 hours.',
  access: { kind: 'session', right: 'konto.verwalten' },
  status: 201,
  response: component('AlarmGeheimnis', 'A secret to check signatures with.', {
    geheimnis: field(text(), 'The whole secret; it is not shown again.'),
    unterschrift_seit: field(datetime(), 'When it was made.'),
    unterschrift_frueher_bis: field(
      nullable(datetime()),
      'Until when the secret before it is signed with as well; null when there was none.',
    ),
  }),
});

export const alarmProbe = operation({
  id: 'alarme.probe',
  method: 'POST',
  path: '/v1/cockpit/mandant/alarme/probe',
  summary: 'Schickt eine Probe durch einen Kanal und sagt, wie es ging.',
  description:
    'Sends a test through a channel and tells, after ten seconds at most, how that went. A mail is handed to the mail server’s queue. 409 when the channel is not set up.',
  access: { kind: 'session', right: 'konto.verwalten' },
  refuses: { 409: ['kanal_nicht_eingerichtet'], 429: ['zu_viele_versuche', 'post_ausgeschoepft'] },
  body: component('AlarmProbeEingabe', 'Which channel to try.', { kanal: kanal() }),
  response: component('AlarmProbe', 'How a test went.', {
    kanal: kanal(),
    zugestellt: field(
      boolean(),
      'Whether the receiver took it; of mail: whether it was put into the queue of the mail server, false where there is none.',
    ),
    antwort_status: field(
      nullable(integer({ min: 100, max: 999 })),
      'HTTP status of the answer; null when there was none.',
      200,
    ),
    fehler: field(nullable(Wortlaut), 'Why it failed; null when it did not.'),
    dauer_ms: field(count(), 'How long it took, in milliseconds.', 180),
  }),
});

export const zustellungWiederholen = operation({
  id: 'alarme.zustellung_wiederholen',
  method: 'POST',
  path: '/v1/cockpit/alarme/zustellungen/{zustellung_id}/wiederholen',
  summary: 'Stellt noch einmal zu, mit derselben Kennung; was noch wartet, wartet weiter.',
  description:
    'Delivers once more, under the same id (`webhook-id`), and tries for a day. One that waits still is left as it is.',
  access: { kind: 'session', right: 'konto.verwalten' },
  refuses: { 429: ['zu_viele_versuche'] },
  params: Type.Object({ zustellung_id: field(uuid(), 'The delivery to repeat.') }),
  response: Zustellung,
});
