/** The audit log. */
import {
  CPU_OF_AN_ARCHIVE,
  component,
  date,
  datetime,
  field,
  listOf,
  nullable,
  oneOf,
  operation,
  pageQuery,
  preset,
  record,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';

export const Akteur = component('Akteur', 'Who did something.', {
  art: field(oneOf('benutzer', 'system', 'betreiber'), 'A user, the service itself, or its operator.'),
  id: field(nullable(uuid()), 'The user; null for the system.'),
  name: field(nullable(text()), 'Address of the user at that time.', 'anna@example.org'),
});

export const Objekt = component('Objekt', 'What something was done to.', {
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
    'The audit log, newest first; page by page; as JSON or CSV (semicolons, byte-order mark), which says in the header `x-zaehlwerk-weiter` where the next page begins.',
  cpu: CPU_OF_AN_ARCHIVE,
  access: { kind: 'session', right: 'protokoll.lesen' },
  query: Type.Object({
    ...pageQuery(100),
    aktion: Type.Optional(field(text({ max: 100 }), 'Entries of this action only.', 'schluessel.angelegt')),
    format: preset(field(oneOf('json', 'csv'), 'Form of the answer.'), 'json'),
    von: Type.Optional(field(date(), 'First local day.', '2026-03-01')),
    bis: Type.Optional(field(date(), 'Last local day, included.', '2026-03-31')),
  }),
  media: ['application/json', 'text/csv'],
  response: component('Protokollseite', 'A page of the audit log.', {
    eintraege: field(rowsOf(Protokolleintrag), 'The entries, newest first.'),
    aktionen: field(listOf(text(), 500), 'Every action that occurs, to filter by.', ['schluessel.angelegt']),
    weiter,
  }),
});
