/** The way in: model-call events. */
import {
  boolean,
  count,
  datetime,
  nullable,
  operation,
  optional,
  record,
  Type,
  text,
  uuid,
} from '../kit/index.ts';

/** A 64-bit fingerprint as 16 hex characters. */
const fingerprint = () => Type.String({ pattern: '^[0-9a-fA-F]{16}$' });

/**
 * One model call as the sender saw it. Every field may be missing. The lengths are ours: the five texts that
 * make up the key of the hourly rollup must fit into one index entry.
 */
export const EreignisEingang = Type.Object({
  ereignis_id: optional(uuid()),
  zeitpunkt: optional(datetime()),
  anbieter: optional(text({ max: 60 })),
  modell: optional(text({ max: 200 })),
  agent: optional(text({ max: 120 })),
  lauf_id: optional(uuid()),
  schritt_nr: optional(count()),
  eltern_span: optional(uuid()),
  eingabe_token: optional(count()),
  ausgabe_token: optional(count()),
  cache_lese_token: optional(count()),
  cache_schreib_token: optional(count()),
  denk_token: optional(count()),
  werkzeugaufrufe: optional(count()),
  latenz_ms: optional(count()),
  erste_zeichen_ms: optional(count()),
  status: Type.Optional(text({ max: 60 })),
  fehlercode: optional(text({ max: 500 })),
  geschaetzt: Type.Optional(boolean()),
  prompt_fingerabdruck: optional(fingerprint()),
  werkzeug_fingerabdruck: optional(fingerprint()),
  endkunde_ref: optional(text({ max: 120 })),
  funktion_ref: optional(text({ max: 200 })),
  benutzer_ref: optional(text({ max: 200 })),
  quelle: Type.Optional(text({ max: 60 })),
  zusatz: optional(record()),
});

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
