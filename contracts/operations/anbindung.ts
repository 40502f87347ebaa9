/** Getting connected: the first-start checklist, the connection page, the check of a key. */
import {
  boolean,
  component,
  count,
  datetime,
  decimal,
  field,
  integer,
  listOf,
  nullable,
  oneOf,
  operation,
  pageQuery,
  rowsOf,
  sum,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { Schluessel } from './schluessel.ts';

const Schritt = component('Schritt', 'A step of a new Mandant.', {
  schritt: field(
    oneOf('konto', 'schluessel', 'geldgrenzen', 'erster_aufruf', 'agent_benannt', 'endkunde_zugeordnet'),
    'Account made, key made, limits of money confirmed (`/v1/cockpit/regeln/geldgrenzen`; they hold before, as proposed), first call arrived, an agent named, a call attributed to an end customer.',
  ),
  titel: field(text(), 'What to do, in German.'),
  erledigt: field(boolean(), 'Whether it is done.'),
});

export const erststart = operation({
  id: 'anbindung.erststart',
  method: 'GET',
  path: '/v1/cockpit/erststart',
  summary: 'Die Schritte eines neuen Mandanten, erledigt oder offen.',
  description: 'The steps of a new Mandant, done or open.',
  access: { kind: 'session', right: 'konto.lesen' },
  response: component('Erststart', 'The checklist of a new Mandant.', {
    schritte: field(listOf(Schritt, 6), 'The steps in their order.'),
    abgeschlossen: field(boolean(), 'Whether all are done.'),
  }),
});

const angekommen = {
  erster_aufruf_am: field(nullable(datetime()), 'When the first call arrived; null when none did.'),
  letzter_aufruf_am: field(nullable(datetime()), 'When the latest call arrived; null when none did.'),
  ereignisse_gesamt: field(sum(), 'Events ever counted.', 1234),
};

const Adressen = component('Adressen', 'Where programs of the Mandant go.', {
  basis: field(text(), 'Address of the service.', 'https://zaehlwerk.example.org'),
  ereignisse: field(text(), 'Where to send events.'),
  pruefen: field(text(), 'Where to check a key.'),
  beschreibung: field(text(), 'The description of this interface, to read.'),
});

const Aufruf = component('Aufruf', 'A call that arrived, in short.', {
  ereignis_id: field(uuid(), 'Names the event.'),
  zeitpunkt: field(datetime(), 'When the call was made.'),
  agent: field(text(), 'Key of the agent.', 'support/triage'),
  anbieter: field(nullable(text()), 'Provider of the model.', 'openai'),
  modell: field(nullable(text()), 'Name of the model.', 'gpt-4o-mini'),
  status: field(text(), 'Outcome of the call.', 'erfolgreich'),
  eingabe_token: field(nullable(count()), 'Input tokens as they were sent.', 1200),
  ausgabe_token: field(nullable(count()), 'Output tokens.', 350),
  kosten_eur: field(nullable(decimal()), 'Cost in EUR; null when the price is not known.', '0.0043'),
  lauf_id: field(nullable(uuid()), 'The run it belongs to.'),
});

const missing = {
  ohne_lauf: field(
    count(),
    'Without a run: they are in no list of runs, and no rule about runs sees them.',
    0,
  ),
  ohne_fingerabdruck: field(
    count(),
    'Without the fingerprint of a prompt: no rule sees that they repeat.',
    0,
  ),
  ohne_endkunde: field(count(), 'Without an end customer: they are passed on to nobody.', 0),
  adresse_als_anbieter: field(
    count(),
    'With an address as provider: they are priced by the name of the model alone.',
    0,
  ),
};

const Luecken = component('Luecken', 'What the latest calls lack, each as a number of calls.', {
  aufrufe: field(count(), 'The latest calls that were looked at, at most 1,000.', 1000),
  ...missing,
});

const SchluesselLuecken = component(
  'SchluesselLuecken',
  'What the latest calls of a key lack, each as a number of calls.',
  {
    aufrufe: field(
      count(),
      'The latest calls that were looked at: those of its latest hours that have 1,000 together, or all there are.',
      1000,
    ),
    ...missing,
  },
);

const uhr_abweichung_s = field(
  nullable(integer()),
  'How many seconds the clock of its sender is behind that of the service (negative: ahead): its latest calls came in that much after they say that they ended. Null where they do not all say so. Calls that are delivered late by always as much look the same.',
  null,
);

const AngebundenerSchluessel = component('AngebundenerSchluessel', 'A key, and what came by it.', {
  ...Schluessel.properties,
  verbrauch: Type.Optional(
    field(
      component('SchluesselVerbrauch', 'What came by a key, counted since calls know theirs.', {
        letzter_aufruf_am: field(
          nullable(datetime()),
          'When its latest call was made; null when none was counted.',
        ),
        aufrufe: field(sum(), 'Its calls of the last 30 local days, today among them.', 1200),
        unbepreist: field(sum(), 'Those of them without a known price; their cost is not in the sum.', 0),
        kosten_eur: field(
          nullable(decimal()),
          'What these calls cost in EUR; null where no price is known.',
          '12.34',
        ),
        luecken: field(SchluesselLuecken, 'What its latest calls lack.'),
        uhr_abweichung_s,
      }),
      'What came by it.',
    ),
  ),
});

export const cockpitAnbindung = operation({
  id: 'anbindung.seite',
  method: 'GET',
  path: '/v1/cockpit/anbindung',
  summary: 'Die Anbindungsseite: Schlüssel, Adressen und die letzten Aufrufe.',
  description:
    'The connection page: keys (page by page), addresses, the latest calls. May be asked every few seconds until the first call has arrived.',
  access: { kind: 'session', right: 'konto.lesen' },
  query: Type.Object(pageQuery()),
  response: component('Anbindung', 'What it takes to connect, and what has arrived.', {
    adressen: field(Adressen, 'Where to send.'),
    schluessel: field(
      nullable(rowsOf(AngebundenerSchluessel)),
      'The keys of the Mandant, blocked ones too, oldest first; null for those who may not administer them (`schluessel.verwalten`).',
    ),
    weiter,
    ...angekommen,
    letzte_aufrufe: field(listOf(Aufruf, 10), 'The ten latest calls.'),
    luecken: field(Luecken, 'What the latest calls lack.'),
  }),
});

const QuelleLuecken = component(
  'QuelleLuecken',
  'What the latest calls of a source lack, each as a number of calls.',
  {
    aufrufe: field(
      count(),
      'The latest calls that were looked at: those of its latest days that have 1,000 together, or all there are.',
      1000,
    ),
    ohne_lauf: missing.ohne_lauf,
    ohne_agent: field(count(), 'Without the name of an agent: all of them are one agent.', 0),
    ohne_endkunde: missing.ohne_endkunde,
    ohne_fingerabdruck: missing.ohne_fingerabdruck,
    ohne_cache: field(
      count(),
      'Successful ones that do not say what came from the cache: it is charged as if nothing did.',
      0,
    ),
    ohne_token: field(count(), 'Successful ones without counts of tokens: they have no cost.', 0),
  },
);

const Quelle = component('Quelle', 'What told of calls: a library, and the key its calls came by.', {
  schluessel_id: field(
    nullable(uuid()),
    'The key; null for those who may not administer keys (`schluessel.verwalten`).',
  ),
  schluessel_name: field(nullable(text()), 'Its name; null likewise.', 'Produktion'),
  quelle: field(
    text(),
    'The way the calls came, as events say it; `otlp` by OpenTelemetry. With empty `bibliothek` and `version` empty as well: sources beyond the first 64, together.',
    'otlp',
  ),
  bibliothek: field(
    text(),
    'Name of the library, as `zusatz.bibliothek` says it; empty where nothing does.',
    'opentelemetry.instrumentation.openai_v2',
  ),
  version: field(text(), 'Its version; empty where nothing says it.', '2.4b0'),
  letzter_aufruf_am: field(datetime(), 'When its latest call was made.'),
  aufrufe: field(sum(), 'Its calls of the last 30 local days, today among them.', 1200),
  unbepreist: field(sum(), 'Those of them without a known price; their cost is not in the sum.', 0),
  kosten_eur: field(
    nullable(decimal()),
    'What these calls cost in EUR; null where no price is known.',
    '12.34',
  ),
  abo_aufrufe: field(sum(), 'Those of them that a subscription pays for (`zusatz.abonnement`).', 0),
  abo_kosten_eur: field(
    nullable(decimal()),
    'What those would cost at list price, part of `kosten_eur`; null where there are none.',
    null,
  ),
  luecken: field(QuelleLuecken, 'What its latest calls lack.'),
});

export const cockpitQuellen = operation({
  id: 'anbindung.quellen',
  method: 'GET',
  path: '/v1/cockpit/anbindung/quellen',
  summary:
    'Was von Aufrufen berichtet: je Schlüssel und Bibliothek der letzte Aufruf und was den Aufrufen fehlt.',
  description:
    'What told of the calls of the last 30 local days, by key and library with its version: the latest call, how many there were and what the latest ones lack.',
  access: { kind: 'session', right: 'konto.lesen' },
  response: component('Quellen', 'What told of calls lately.', {
    quellen: field(listOf(Quelle, 200), 'The source with the latest call first; at most 200.'),
  }),
});

const KurzerMandant = component('MandantKurz', 'Whom a key belongs to.', {
  mandant_id: field(uuid(), 'Names the Mandant.'),
  firma: field(text(), 'Name of the company.', 'Muster GmbH'),
});

const { schluessel_id, name, anzeige, bereiche } = Schluessel.properties;

export const anbindungPruefen = operation({
  id: 'anbindung.pruefen',
  method: 'GET',
  path: '/v1/anbindung/pruefen',
  summary: 'Sagt, wem der Schlüssel gehört, was er darf und ob schon Aufrufe angekommen sind.',
  description:
    'Says whom the key belongs to, what it may do and whether calls have arrived. Takes the key as a bearer or in `X-SVC-Key`, whatever its scopes.',
  access: { kind: 'any-key' },
  refuses: { 404: ['nicht_gefunden'] },
  response: component('Anbindungspruefung', 'What a key is good for.', {
    mandant: field(KurzerMandant, 'Whom it belongs to.'),
    schluessel: field(
      component('SchluesselKurz', 'A key in short.', { schluessel_id, name, anzeige, bereiche }),
      'The key itself.',
    ),
    aufrufe_angekommen: field(boolean(), 'Whether any call has arrived.'),
    ...angekommen,
    schluessel_letzter_aufruf_am: Type.Optional(
      field(nullable(datetime()), 'When the latest call by this key was made; null when none was counted.'),
    ),
    luecken: Type.Optional(field(SchluesselLuecken, 'What the latest calls by this key lack.')),
    uhr_abweichung_s: Type.Optional(uhr_abweichung_s),
  }),
});
