/** What operators of the installation see and do. */
import {
  component,
  datetime,
  field,
  nullable,
  operation,
  pageQuery,
  record,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';
import { Akteur, Objekt } from './protokoll.ts';

const Betroffener = component('BetroffenerMandant', 'The Mandant that an act touched.', {
  mandant_id: field(uuid(), 'Names the Mandant.'),
  firma: field(nullable(text()), 'Its name today; null once its data are removed.', 'Muster GmbH'),
});

const Eintrag = component('Betreibereintrag', 'One act of an operator, signed in or at the command line.', {
  eintrag_id: field(uuid(), 'Names the entry.'),
  zeitpunkt: field(datetime(), 'When.'),
  akteur: field(
    Akteur,
    'Who: `benutzer` is an operator who was signed in, `betreiber` the command line, `system` the configuration.',
  ),
  aktion: field(text(), 'What was done, as a stable dotted name.', 'mandant.geaendert'),
  mandant: field(nullable(Betroffener), 'Whom it touched; null for the installation itself.'),
  objekt: field(Objekt, 'To what.'),
  vorher: field(nullable(record()), 'Changed fields as they were; secrets and notes never.'),
  nachher: field(nullable(record()), 'Changed fields as they are since; secrets and notes never.'),
  adresse: field(nullable(text()), 'Network address the request came from; null when there was none.'),
});

export const BetreiberprotokollSeite = component('Betreiberprotokoll', 'A page of the operator log.', {
  eintraege: field(rowsOf(Eintrag), 'The entries, newest first.'),
  weiter,
});

export const betreiberprotokoll = operation({
  id: 'betreiber.protokoll',
  method: 'GET',
  path: '/v1/betreiber/protokoll',
  summary: 'Was Betreiber getan haben, Neuestes zuerst.',
  description:
    'The operator log, newest first, page by page: every act of an operator, signed in or at the command line. Entries are never changed or removed.',
  access: { kind: 'operator' },
  query: Type.Object({
    ...pageQuery(200),
    mandant_id: Type.Optional(field(uuid(), 'Entries that touch this Mandant only.')),
  }),
  response: BetreiberprotokollSeite,
});
