/** The way in: model-call events. */
import {
  boolean,
  component,
  count,
  datetime,
  field,
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

/** The lengths are ours: the five texts that make up the key of the hourly rollup must fit into one index entry. */
export const EreignisEingang = component(
  'EreignisEingang',
  'One model call as the sender saw it. Every field may be missing. Token counts are those the provider gave; whether the input includes cached tokens is known by `anbieter`, unless `zusatz.eingabe_umfasst_cache` says it.',
  {
    ereignis_id: field(
      optional(uuid()),
      'Names the event: however often it is sent, it counts once. Made up when left out.',
    ),
    zeitpunkt: field(
      optional(datetime()),
      'When the call was made; without an offset it is UTC. The time of receipt when left out, at most 24 hours ahead of it.',
      '2026-03-02T09:30:00Z',
    ),
    anbieter: field(optional(text({ max: 60 })), 'Provider of the model.', 'openai'),
    modell: field(
      optional(text({ max: 200 })),
      'Name of the model as the provider writes it.',
      'gpt-4o-mini',
    ),
    agent: field(
      optional(text({ max: 120 })),
      'Key of the agent; one that is not known yet is created. `unbekannt` when left out.',
      'support/triage',
    ),
    lauf_id: field(optional(uuid()), 'The run the call belongs to; calls without one belong to no run.'),
    schritt_nr: field(optional(count()), 'Number of the step within the run.', 3),
    eltern_span: field(optional(uuid()), 'The event this call was made by.'),
    eingabe_token: field(optional(count()), 'Input tokens.', 1200),
    ausgabe_token: field(optional(count()), 'Output tokens.', 350),
    cache_lese_token: field(optional(count()), 'Input tokens read from the cache; 0 when left out.', 800),
    cache_schreib_token: field(optional(count()), 'Input tokens written to the cache; 0 when left out.', 0),
    denk_token: field(optional(count()), 'Reasoning tokens; 0 when left out.', 0),
    werkzeugaufrufe: field(optional(count()), 'Calls of tools the answer asks for; 0 when left out.', 1),
    latenz_ms: field(optional(count()), 'Time until the answer was complete, in milliseconds.', 2400),
    erste_zeichen_ms: field(
      optional(count()),
      'Time until the first characters arrived, in milliseconds.',
      310,
    ),
    status: Type.Optional(
      field(
        text({ max: 60 }),
        'Outcome of the call; everything but `erfolgreich` counts as failed. `erfolgreich` when left out.',
        'erfolgreich',
      ),
    ),
    fehlercode: field(optional(text({ max: 500 })), 'Error of the provider.', 'rate_limit_exceeded'),
    geschaetzt: Type.Optional(
      field(boolean(), 'True when the token counts are estimates; false when left out.'),
    ),
    prompt_fingerabdruck: field(
      optional(fingerprint()),
      '64-bit SimHash of the prompt as 16 hex characters.',
      '9f86d081884c7d65',
    ),
    werkzeug_fingerabdruck: field(
      optional(fingerprint()),
      'Fingerprint of the tool call: 8 bytes as 16 hex characters.',
      '2c26b46b68ffc68f',
    ),
    endkunde_ref: field(
      optional(text({ max: 120 })),
      'Reference of the end customer the call was made for.',
      'kunde-4711',
    ),
    funktion_ref: field(
      optional(text({ max: 200 })),
      'Reference of the function of the product.',
      'zusammenfassen',
    ),
    benutzer_ref: field(optional(text({ max: 200 })), 'Reference of the user at the sender’s.', 'u-17'),
    quelle: Type.Optional(
      field(text({ max: 60 }), 'Where the event comes from; `ingest` when left out.', 'sdk'),
    ),
    zusatz: field(
      optional(record()),
      'Anything else to keep with the event. `projekt` (text) names its project, `eingabe_umfasst_cache` (boolean) says whether the input tokens include those of the cache.',
      { projekt: 'support' },
    ),
  },
);

/** More events than this in one batch are refused with 413. */
export const MAX_EVENTS_PER_BATCH = 10_000;
/** A larger body, before or after decompression, is refused with 413. */
export const MAX_BATCH_BYTES = 10 * 1024 * 1024;

export const StapelEingang = component('StapelEingang', 'A batch of events.', {
  ereignisse: Type.Optional(
    field(Type.Array(EreignisEingang), `At most ${MAX_EVENTS_PER_BATCH} events; none when left out.`),
  ),
});

export const EingriffAktiv = component(
  'EingriffAktiv',
  'An intervention in force for an agent of the batch, so that the sender can stop at once.',
  {
    eingriff_id: field(uuid(), 'Names the intervention.'),
    agent: field(text(), 'Key of the agent it holds for.', 'support/triage'),
    stufe: field(text(), 'The intervention level.'),
    grund: field(text(), 'Why, as a German sentence.'),
    bis: field(nullable(datetime()), 'Until when; null when it ends by hand only.'),
  },
);

export const Annahme = component('Annahme', 'What became of a batch that is stored.', {
  angenommen: field(
    count(),
    'Distinct events accepted; together with `doppelt_im_stapel` the length of the batch.',
    2,
  ),
  doppelt_im_stapel: field(count(), 'Events whose `ereignis_id` stood in the same batch before.', 0),
  eingang_id: field(nullable(uuid()), 'Names the stored batch; null when there was nothing to store.'),
  eingriffe: field(Type.Array(EingriffAktiv), 'Interventions in force for the agents of the batch.'),
});

export const ereignisseAnnehmen = operation({
  id: 'ereignisse.annehmen',
  method: 'POST',
  path: '/v1/ereignisse',
  summary: 'Nimmt einen Stapel von Modellaufrufen an; 202 heißt: dauerhaft gespeichert.',
  description: `Accepts a batch of model calls; 202 means it is durable on disk, and it is counted within moments. One invalid event refuses the batch as a whole. Bodies may be compressed (\`gzip\`, \`deflate\`, \`br\`); more than ${MAX_EVENTS_PER_BATCH} events or ${MAX_BATCH_BYTES / 1024 / 1024} MiB, also after decompression, answer 413.`,
  access: { kind: 'key', scope: 'Senden' },
  header: Type.Object({
    'idempotency-key': Type.Optional(
      field(
        text({ min: 1, max: 255 }),
        'Makes a repeated delivery safe for 48 hours: the same key with the same body gets the first answer again and counts nothing (`Idempotency-Replayed: true`); with another body it answers 422, while the first is under way 409.',
      ),
    ),
  }),
  body: StapelEingang,
  status: 202,
  response: Annahme,
});
