/** What needs no credentials: health and status. */
import { component, count, datetime, field, listOf, nullable, oneOf, operation, text } from '../kit/index.ts';

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

const Komponente = component('Komponente', 'A part of the service.', {
  name: field(
    oneOf('datenbank', 'annahme', 'zaehlung', 'speicherplatz', 'uhr'),
    'Database, acceptance of events, counting of what was accepted, room on the disk of the database, clocks of service and database.',
  ),
  status: field(oneOf('ok', 'eingeschränkt', 'gestört'), 'Works, works slowly or in part, does not work.'),
});

export const status = operation({
  id: 'system.status',
  method: 'GET',
  path: '/v1/status',
  summary: 'Zustand des Systems, ohne Angaben zu einzelnen Mandanten.',
  description: 'State of the parts of the service; says nothing about single Mandanten.',
  access: { kind: 'public' },
  response: component('Status', 'State of the service.', {
    status: field(oneOf('betriebsbereit', 'eingeschränkt', 'gestört'), 'The worst state of any part.'),
    version: field(text(), 'Version of the service.', '0.1.0'),
    zeit: field(datetime(), 'Time of the answer.'),
    komponenten: field(listOf(Komponente, 10), 'The parts.'),
    rueckstand_sekunden: field(
      nullable(count()),
      'Seconds the oldest accepted and not yet counted batch has waited; null when the database is away.',
      0,
    ),
  }),
});
