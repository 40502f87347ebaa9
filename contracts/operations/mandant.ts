/** The account of a Mandant and its settings: branding, data-processing agreement, alarm channels. */
import {
  boolean,
  component,
  datetime,
  email,
  field,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  pageQuery,
  rowsOf,
  secret,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { Schluessel } from './schluessel.ts';

export const Branding = component('Branding', 'How the Mandant appears to its end customers.', {
  name: field(nullable(text()), 'Name on statements; null for the name of the company.', 'Muster GmbH'),
  farbe: field(nullable(text()), 'Colour `#rrggbb`; null for that of the service.', '#1f6feb'),
  logo_url: field(nullable(text()), 'Where the logo lies; null when there is none.'),
  fusszeile: field(nullable(text()), 'Text at the foot of every page.'),
});

export const BrandingEingabe = component(
  'BrandingEingabe',
  'Branding to set. A field left out stays as it is; null or an empty text clears it.',
  {
    name: field(optional(text({ max: 120 })), 'Name on statements.', 'Muster GmbH'),
    farbe: field(optional(text({ max: 7 })), 'Colour `#rrggbb`.', '#1f6feb'),
    logo_url: field(
      optional(text({ max: 2000 })),
      'Public address of a PNG or JPEG of at most 512 KiB.',
      'https://www.example.org/logo.png',
    ),
    fusszeile: field(optional(text({ max: 500 })), 'Text at the foot of every page.'),
  },
);

const MAX_RECIPIENTS = 20;

const Alarmempfaenger = component('Alarmempfaenger', 'An address that is entered for alarms.', {
  email: field(text(), 'The address.', 'alarm@example.org'),
  empfang: field(
    oneOf('bestaetigt', 'wartet', 'abgemeldet'),
    'Alarms go there: somebody there has agreed, or a user of the Mandant has confirmed the address; nobody has answered yet, and none go there; somebody there does not want them.',
  ),
  angefragt_am: field(nullable(datetime()), 'When it was asked there last; null when it was not.'),
});

export const Alarmkanaele = component(
  'Alarmkanaele',
  'Where alarms go. Addresses that hold a secret are shown by their host only.',
  {
    email: field(listOf(text(), MAX_RECIPIENTS), 'Addresses that get a mail.', ['alarm@example.org']),
    empfaenger: field(
      listOf(Alarmempfaenger, MAX_RECIPIENTS),
      'The same addresses, each with whether alarms go there.',
    ),
    chatA_webhook: field(nullable(text()), 'Host of the first chat channel; null when there is none.'),
    chatB_webhook: field(nullable(text()), 'Host of the second chat channel; null when there is none.'),
    push_url: field(nullable(text()), 'Host of the push channel; null when there is none.'),
    webhook_url: field(nullable(text()), 'Host of the general JSON webhook; null when there is none.'),
  },
);

const ADDRESS = 'https://hooks.example.org/T0/B0/geheim';

export const AlarmkanaeleEingabe = component(
  'AlarmkanaeleEingabe',
  'Alarm channels to set. A field left out stays as it is; null or an empty text removes the channel.',
  {
    email: Type.Optional(
      field(
        Type.Array(email(), { maxItems: MAX_RECIPIENTS }),
        'Addresses that get a mail; these replace all before.',
        ['alarm@example.org'],
      ),
    ),
    chatA_webhook: field(optional(secret({ max: 2000 })), 'Address of the first chat channel.', ADDRESS),
    chatB_webhook: field(optional(secret({ max: 2000 })), 'Address of the second chat channel.', ADDRESS),
    push_url: field(optional(secret({ max: 2000 })), 'Address of the push channel.', ADDRESS),
    webhook_url: field(optional(secret({ max: 2000 })), 'Address of the general JSON webhook.', ADDRESS),
  },
);

export const brandingSetzen = operation({
  id: 'mandant.branding_setzen',
  method: 'PUT',
  path: '/v1/cockpit/konto/branding',
  summary: 'Setzt Name, Farbe, Logo und Fußzeile, wie sie Endkunden sehen.',
  description:
    'Sets name, colour, logo and footer as end customers see them. What is set can be cleared with any package.',
  access: { kind: 'session', right: 'konto.verwalten' },
  refuses: { 409: ['funktion_nicht_im_tarif'] },
  body: BrandingEingabe,
  response: Branding,
});

export const brandingLogo = operation({
  id: 'mandant.branding_logo',
  method: 'GET',
  path: '/v1/cockpit/konto/branding/logo',
  summary: 'Das Logo, vom Dienst geholt und geprüft (PNG oder JPEG, höchstens 512 KiB).',
  description:
    'The logo, fetched by the service from the address that is set, and checked. 404 when no address is set, 409 when there is no such picture.',
  access: { kind: 'session', right: 'konto.lesen' },
  refuses: { 404: ['kein_logo'], 409: ['logo_nicht_ladbar'], 429: ['zu_viele_versuche'] },
  media: ['image/png', 'image/jpeg'],
  response: text(),
});

export const avvAkzeptieren = operation({
  id: 'mandant.avv_akzeptieren',
  method: 'POST',
  path: '/v1/cockpit/konto/avv',
  summary:
    'Nimmt die geltende Fassung des Vertrags zur Auftragsverarbeitung an; wiederholt bleibt es beim ersten Mal.',
  description:
    'Accepts the version of the data-processing agreement that is in force. Repeated, the first time stays.',
  access: { kind: 'session', right: 'konto.verwalten' },
  response: component('AvvAnnahme', 'The acceptance of the agreement.', {
    avv_akzeptiert_am: field(datetime(), 'When it was accepted.'),
    avv_fassung: field(text(), 'Version of the text.', '1'),
  }),
});

export const alarmeSetzen = operation({
  id: 'mandant.alarme_setzen',
  method: 'PUT',
  path: '/v1/cockpit/mandant/alarme',
  summary: 'Setzt, wohin Alarme gehen.',
  description:
    'Sets where alarms go. Addresses with secrets are stored encrypted and never shown again. A new recipient who is no user with a confirmed address is asked by mail, and gets no alarms before somebody there agrees.',
  access: { kind: 'session', right: 'konto.verwalten' },
  body: AlarmkanaeleEingabe,
  response: Alarmkanaele,
});

export const alarmempfaengerFragen = operation({
  id: 'mandant.alarmempfaenger_fragen',
  method: 'POST',
  path: '/v1/cockpit/mandant/alarme/empfaenger',
  summary: 'Fragt an einer eingetragenen Adresse noch einmal, ob Alarme kommen dürfen.',
  description:
    'Asks once more at an address that is entered whether alarms may go there. The mail leaves only when an inhaber has confirmed the own address.',
  access: { kind: 'session', right: 'konto.verwalten' },
  refuses: {
    404: ['nicht_gefunden'],
    409: ['empfang_entschieden'],
    429: ['post_ausgeschoepft'],
  },
  body: component('AlarmempfaengerFrage', 'Where to ask.', {
    email: field(email(), 'The address.', 'alarm@example.org'),
  }),
  response: component('AlarmempfaengerGefragt', 'The address that was asked.', {
    ...Alarmempfaenger.properties,
    mail_gehalten: field(
      boolean(),
      'Whether the mail leaves only when an inhaber of the Mandant has confirmed the own address.',
    ),
  }),
});

const Kurseinstellung = component('Kurseinstellung', 'What may become of costs at the substitute rate.', {
  ersatzkurs_ersetzen: field(
    boolean(),
    'Whether calls that were converted at the substitute rate get the reference rate of their day once that is known: their costs in EUR then change.',
    false,
  ),
});

export const kurseSetzen = operation({
  id: 'mandant.kurse_setzen',
  method: 'PUT',
  path: '/v1/cockpit/mandant/kurse',
  summary: 'Setzt, ob zum Ersatzkurs umgerechnete Kosten später Referenzkurse bekommen.',
  description:
    'Sets whether costs at the substitute rate are converted anew once reference rates are known, daily. Off unless set: figures that were reported do not move by themselves.',
  access: { kind: 'session', right: 'konto.verwalten' },
  body: Kurseinstellung,
  response: Kurseinstellung,
});

const Zuordnung = component('Zuordnung', 'Whose calls are, where programs say it in their own words.', {
  endkunde_namen: field(
    listOf(text({ min: 1, max: 100 }), 10),
    'Own names of attributes of OpenTelemetry that name the end customer, in the order they count; before those that are known anyway. Each once.',
    ['kundennummer'],
  ),
  funktion_namen: field(listOf(text({ min: 1, max: 100 }), 10), 'Likewise of the function.', []),
  projekt_namen: field(listOf(text({ min: 1, max: 100 }), 10), 'Likewise of the project.', []),
  merkmale: field(
    listOf(text({ max: 100 }), 5),
    'Keys of the free data (`zusatz`) of calls that consumption can be filtered and grouped by as `merkmal_1` to `merkmal_5`, by their place; empty where there is none, each once. A change holds for calls received a minute later or after that; a place that changes its key keeps the values that it had.',
    ['team'],
  ),
  abo_weiterbelasten: field(
    boolean(),
    'Whether calls that a subscription pays for (`zusatz.abonnement`) keep their end customer, and are passed on at list price; of calls that are counted from then on.',
    false,
  ),
});

const ZuordnungEingabe = component(
  'ZuordnungEingabe',
  'As `Zuordnung`; own dimensions stay where they are left out.',
  {
    ...Zuordnung.properties,
    merkmale: Type.Optional(Zuordnung.properties.merkmale),
  },
);

export const zuordnungSetzen = operation({
  id: 'mandant.zuordnung_setzen',
  method: 'PUT',
  path: '/v1/cockpit/mandant/zuordnung',
  summary:
    'Setzt, unter welchen Namen Programme Endkunde, Funktion und Projekt nennen, welche freien Angaben eigene Merkmale sind, und ob Abonnements weiterbelastet werden.',
  description:
    'Sets by which names programs that emit OpenTelemetry name end customer, function and project, which keys of the free data are dimensions, and whether what a subscription pays for is passed on. Names hold for what is sent ten seconds later.',
  access: { kind: 'session', right: 'konto.verwalten' },
  body: ZuordnungEingabe,
  response: Zuordnung,
});

const KontoMandant = component('KontoMandant', 'Master data of a Mandant.', {
  mandant_id: field(uuid(), 'Names the Mandant.'),
  firma: field(text(), 'Name of the company.', 'Muster GmbH'),
  paket: field(text(), 'Short name of the package in force.', 'frei'),
  paket_bis: field(nullable(datetime()), 'Until when it is paid; null when it does not end.'),
  status: field(oneOf('aktiv', 'gekündigt'), 'State of the account.'),
  zeitzone: field(text(), 'IANA name of the time zone days and months are meant in.', 'Europe/Berlin'),
  avv_akzeptiert_am: field(
    nullable(datetime()),
    'When the data-processing agreement was accepted; null when it is not.',
  ),
  avv_akzeptiert_von: field(
    nullable(text()),
    'Address of the user who accepted it; null when that user is gone, and for those who may not read who the users are (`benutzer.verwalten`).',
  ),
  avv_fassung: field(nullable(text()), 'Version of the text that was accepted.', '1'),
  ...Kurseinstellung.properties,
  ...Zuordnung.properties,
  erstellt_am: field(datetime(), 'When the Mandant came.'),
});

export const kontoLesen = operation({
  id: 'mandant.konto_lesen',
  method: 'GET',
  path: '/v1/cockpit/konto',
  summary: 'Das Konto des Mandanten mit seinen Schlüsseln.',
  description: 'The account of the Mandant with its keys (page by page), branding and alarm channels.',
  access: { kind: 'session', right: 'konto.lesen' },
  query: Type.Object(pageQuery()),
  response: component('Konto', 'The account of a Mandant.', {
    mandant: field(KontoMandant, 'Master data.'),
    schluessel: field(
      nullable(rowsOf(Schluessel)),
      'The API keys, blocked ones too, oldest first; null for those who may not administer them (`schluessel.verwalten`).',
    ),
    weiter,
    branding: field(Branding, 'How it appears to end customers.'),
    alarme: field(
      nullable(Alarmkanaele),
      'Where alarms go; null for those who may not say where (`konto.verwalten`).',
    ),
  }),
});
