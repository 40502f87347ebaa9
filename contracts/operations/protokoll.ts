/** The audit log. */
import {
  component,
  date,
  datetime,
  field,
  integer,
  nullable,
  oneOf,
  operation,
  preset,
  record,
  Type,
  text,
  uuid,
} from '../kit/index.ts';

const Akteur = component('Akteur', 'Who did something.', {
  art: field(oneOf('benutzer', 'system', 'betreiber'), 'A user, the service itself, or its operator.'),
  id: field(nullable(uuid()), 'The user; null for the system.'),
  name: field(nullable(text()), 'Address of the user at that time.', 'anna@example.org'),
});

const Objekt = component('Objekt', 'What something was done to.', {
  art: field(text(), 'Kind of object.', 'schluessel'),
  id: field(nullable(text()), 'Names the object; null where there is one of its kind only.'),
  name: field(nullable(text()), 'Its name at that time.', 'Produktion'),
});

export const Protokolleintrag = component(
  'Protokolleintrag',
  'One change: who, what, before and after, when, from where.',
  {
    eintrag_id: field(uuid(), 'Names the entry.'),
    zeitpunkt: field(datetime(), 'When.'),
    akteur: field(Akteur, 'Who.'),
    aktion: field(text(), 'What was done, as a stable dotted name.', 'schluessel.angelegt'),
    objekt: field(Objekt, 'To what.'),
    vorher: field(nullable(record()), 'Changed fields as they were; secrets never.'),
    nachher: field(nullable(record()), 'Changed fields as they are since; secrets never.'),
    adresse: field(nullable(text()), 'Network address the request came from; null when there was none.'),
  },
);

export const pruefprotokoll = operation({
  id: 'protokoll.lesen',
  method: 'GET',
  path: '/v1/cockpit/pruefprotokoll',
  summary: 'Das Prüfprotokoll, Neuestes zuerst; als JSON oder CSV.',
  description:
    'The audit log, newest first; as JSON or CSV (semicolons, byte-order mark). The next page begins where `weiter` says.',
  access: { kind: 'session', right: 'protokoll.lesen' },
  query: Type.Object({
    limit: preset(field(integer({ min: 1, max: 1000 }), 'How many entries at most.'), 100),
    aktion: Type.Optional(field(text({ max: 100 }), 'Entries of this action only.', 'schluessel.angelegt')),
    format: preset(field(oneOf('json', 'csv'), 'Form of the answer.'), 'json'),
    von: Type.Optional(field(date(), 'First local day.', '2026-03-01')),
    bis: Type.Optional(field(date(), 'Last local day, included.', '2026-03-31')),
    vor: Type.Optional(field(uuid(), 'Entries before this one: the next page.')),
  }),
  media: ['application/json', 'text/csv'],
  response: component('Protokollseite', 'A page of the audit log.', {
    eintraege: field(Type.Array(Protokolleintrag), 'The entries, newest first.'),
    aktionen: field(Type.Array(text()), 'Every action that occurs, to filter by.', ['schluessel.angelegt']),
    weiter: field(nullable(uuid()), 'Pass as `vor` for the next page; null at the end.'),
  }),
});
