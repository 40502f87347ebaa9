/** The audit log. */
import {
  date,
  datetime,
  integer,
  nullable,
  oneOf,
  oneOfOrFirst,
  operation,
  record,
  Type,
  text,
  uuid,
} from '../kit/index.ts';

/** One change: who, what, before and after, when, from where. */
export const Protokolleintrag = Type.Object({
  eintrag_id: uuid(),
  zeitpunkt: datetime(),
  akteur: Type.Object({
    art: oneOf('benutzer', 'system', 'betreiber'),
    /** Null for the system. */
    id: nullable(uuid()),
    /** Address of the user at that time. */
    name: nullable(text()),
  }),
  /** What was done, as a stable dotted name, e.g. `schluessel.angelegt`. */
  aktion: text(),
  objekt: Type.Object({ art: text(), id: nullable(text()), name: nullable(text()) }),
  /** Changed fields only; secrets never. */
  vorher: nullable(record()),
  nachher: nullable(record()),
  /** Network address the request came from; null when there was none. */
  adresse: nullable(text()),
});

export const pruefprotokoll = operation({
  id: 'protokoll.lesen',
  method: 'GET',
  path: '/v1/cockpit/pruefprotokoll',
  summary: 'Das Prüfprotokoll, Neuestes zuerst; als JSON oder CSV.',
  access: { kind: 'session', right: 'protokoll.lesen' },
  query: Type.Object({
    limit: Type.Optional(integer({ min: 1, max: 1000, default: 100 })),
    aktion: Type.Optional(text({ max: 100 })),
    format: oneOfOrFirst('json', 'csv'),
    /** Local days, both included. */
    von: Type.Optional(date()),
    bis: Type.Optional(date()),
    /** Entries before this one: the next page. */
    vor: Type.Optional(uuid()),
  }),
  media: ['application/json', 'text/csv'],
  response: Type.Object({
    eintraege: Type.Array(Protokolleintrag),
    /** Every action that occurs, to filter by. */
    aktionen: Type.Array(text()),
    /** Pass as `vor` for the next page; null at the end. */
    weiter: nullable(uuid()),
  }),
});
