/** What needs no credentials: health, status and its history. */
import {
  component,
  count,
  date,
  datetime,
  field,
  listOf,
  nullable,
  oneOf,
  operation,
  text,
} from '../kit/index.ts';
import { Preisstand } from './preise.ts';

export const gesund = operation({
  id: 'system.gesund',
  method: 'GET',
  path: '/v1/gesund',
  summary: 'Lebenszeichen: 200, wenn die Datenbank antwortet und Ereignisse angenommen werden, sonst 503.',
  description:
    'Health check for load balancers: 200 while the database answers and batches can be stored, else 503. Answers whatever `Host` says.',
  access: { kind: 'public' },
  alsoStatus: 503,
  response: component('Lebenszeichen', 'Whether the service can work.', {
    status: field(oneOf('ok', 'gestört'), 'The service as a whole.'),
    datenbank: field(oneOf('ok', 'gestört'), 'Whether the database answers.'),
    annahme: field(oneOf('ok', 'gestört'), 'Whether batches can be stored.'),
    version: field(text(), 'Version of the service.', '0.1.0'),
  }),
});

const name = () =>
  field(
    oneOf(
      'datenbank',
      'annahme',
      'zaehlung',
      'auftraege',
      'budgetpruefung',
      'mail',
      'kurse',
      'preise',
      'sicherung',
      'speicherplatz',
      'uhr',
    ),
    'Database, acceptance of events, counting of what was accepted, jobs that wait, check of the budgets, sending of mail, reference rates, price list, backup of the database, room on the disk of the database, clocks of service and database.',
  );

const Komponente = component('Komponente', 'A part of the service.', {
  name: name(),
  status: field(
    oneOf('ok', 'eingeschränkt', 'gestört', 'unbekannt', 'nicht_eingerichtet'),
    'Works, works slowly or in part, does not work, could not be asked, is not set up.',
  ),
  seit: field(datetime(), 'Since when it is in that state, as far as the history of 90 days reaches.'),
  zuletzt: field(
    nullable(datetime()),
    'When what it does was last done: the last check of the budgets, the newest reference rate fetched, the price list last confirmed by its source, the last backup that is whole, or, where the log of the database is archived, when it last was; null for the others, and where that is not known.',
  ),
  bedeutung: field(
    nullable(text()),
    'What its state means for who uses the service, as a sentence in German or English (`Accept-Language`); null while it is `ok`.',
  ),
});

export const status = operation({
  id: 'system.status',
  method: 'GET',
  path: '/v1/status',
  summary: 'Zustand des Systems, ohne Angaben zu einzelnen Mandanten.',
  description:
    'State of the parts of the service; says nothing about single Mandanten. A part is listed only where something looks at it.',
  access: { kind: 'public' },
  response: component('Status', 'State of the service.', {
    status: field(
      oneOf('betriebsbereit', 'eingeschränkt', 'gestört'),
      'The worst state of any part; one that is `unbekannt` or `nicht_eingerichtet` does not count.',
    ),
    version: field(text(), 'Version of the service.', '0.1.0'),
    zeit: field(datetime(), 'Time of the answer.'),
    komponenten: field(listOf(Komponente, 11), 'The parts.'),
    preisstand: field(Preisstand, 'How old price list, supplement and exchange rates are.'),
    rueckstand_sekunden: field(
      nullable(count()),
      'Seconds the oldest accepted and not yet counted batch has waited; null when the database is away.',
      0,
    ),
  }),
});

const Zustandstag = component('Zustandstag', 'How long a part was in which state on a day.', {
  tag: field(date(), 'Local day.'),
  ok_sekunden: field(count(), 'Seconds in which it worked.', 86_400),
  eingeschraenkt_sekunden: field(count(), 'Seconds in which it worked slowly or in part.', 0),
  gestoert_sekunden: field(count(), 'Seconds in which it did not work.', 0),
  unbekannt_sekunden: field(
    count(),
    'Seconds of which nobody knows; with the others the length of the day, of today what is over of it.',
    0,
  ),
});

const Zustandsverlauf = component('Zustandsverlauf', 'The days of a part.', {
  name: name(),
  tage: field(listOf(Zustandstag, 90), 'The last 90 days, today the last of them.'),
});

const Stoerung = component('Stoerung', 'A time in which a part did not work as it should.', {
  name: name(),
  status: field(oneOf('eingeschränkt', 'gestört'), 'The worst state within it.'),
  von: field(datetime(), 'When it began.'),
  bis: field(nullable(datetime()), 'When it was over; null while it lasts.'),
  dauer_sekunden: field(count(), 'How long it lasted, or has lasted so far.', 372),
  gestoert_sekunden: field(count(), 'For how much of that the part did not work at all.', 360),
});

export const statusVerlauf = operation({
  id: 'system.status_verlauf',
  method: 'GET',
  path: '/v1/status/verlauf',
  summary: 'Verlauf der letzten 90 Tage, ohne Angaben zu einzelnen Mandanten.',
  description:
    'History of the parts, 90 days back; says nothing about single Mandanten. While the database is away it is the one last read.',
  access: { kind: 'public' },
  response: component('Statusverlauf', 'History of the service.', {
    zeit: field(datetime(), 'Time of the answer.'),
    zeitzone: field(text(), 'Zone of the days, an IANA name.', 'Europe/Berlin'),
    komponenten: field(listOf(Zustandsverlauf, 11), 'Each part of which something is known.'),
    stoerungen: field(
      listOf(Stoerung, 50),
      'What did not work as it should, the latest first; of more the latest.',
    ),
  }),
});
