/** The way in: model-call events. */
import { sentSchemas } from '../event-schemas.ts';
import {
  boolean,
  count,
  datetime,
  integer,
  nullable,
  oneOf,
  operation,
  Type,
  text,
  uuid,
} from '../kit/index.ts';

/** One model call as the sender saw it. Every field may be missing (`event-fields.ts`). */
export const EreignisEingang = Type.Object(sentSchemas);

/** More events than this in one batch are refused with 413. */
export const MAX_EVENTS_PER_BATCH = 10_000;
/** A larger body, before or after decompression, is refused with 413. */
export const MAX_BATCH_BYTES = 10 * 1024 * 1024;

export const StapelEingang = Type.Object({
  ereignisse: Type.Optional(Type.Array(EreignisEingang)),
});

/** An intervention in force for an agent of the batch, so that the sender can stop at once. */
export const EingriffAktiv = Type.Object({
  eingriff_id: uuid(),
  agent: text(),
  stufe: text(),
  grund: text(),
  bis: nullable(datetime()),
});

export const Annahme = Type.Object({
  /** Distinct events accepted; together with `doppelt_im_stapel` the length of the batch. */
  angenommen: count(),
  /** Events whose `ereignis_id` stood in the same batch before. */
  doppelt_im_stapel: count(),
  /** Names the stored batch; null when there was nothing to store. */
  eingang_id: nullable(uuid()),
  eingriffe: Type.Array(EingriffAktiv),
});

export const ereignisseAnnehmen = operation({
  id: 'ereignisse.annehmen',
  method: 'POST',
  path: '/v1/ereignisse',
  summary: 'Nimmt einen Stapel von Modellaufrufen an; 202 heißt: dauerhaft gespeichert.',
  access: { kind: 'key', scope: 'Senden' },
  header: Type.Object({ 'idempotency-key': Type.Optional(text({ min: 1, max: 255 })) }),
  body: StapelEingang,
  status: 202,
  response: Annahme,
});

export const anbindungPruefen = operation({
  id: 'anbindung.pruefen',
  method: 'GET',
  path: '/v1/anbindung/pruefen',
  summary: 'Sagt, wem der Schlüssel gehört, was er darf und ob schon Aufrufe angekommen sind.',
  access: { kind: 'any-key' },
  response: Type.Object({
    mandant: Type.Object({ mandant_id: uuid(), firma: text() }),
    schluessel: Type.Object({
      schluessel_id: uuid(),
      name: text(),
      anzeige: text(),
      bereiche: Type.Array(oneOf('Senden', 'Lesen')),
    }),
    aufrufe_angekommen: boolean(),
    erster_aufruf_am: nullable(datetime()),
    letzter_aufruf_am: nullable(datetime()),
    ereignisse_gesamt: integer({ min: 0 }),
  }),
});
