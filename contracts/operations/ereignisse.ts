/** The way in: model-call events. */
import { sentSchemas } from '../event-schemas.ts';
import { component, count, field, listOf, nullable, operation, Type, text, uuid } from '../kit/index.ts';
import { EingriffAktiv, MAX_IN_FORCE } from './eingriffe.ts';

export const EreignisEingang = component(
  'EreignisEingang',
  'One model call as the sender saw it. Every field may be missing. Token counts are those the provider gave; whether the input includes cached tokens and the output those of reasoning is known by `anbieter` and `modell`, unless `zusatz.eingabe_umfasst_cache` and `zusatz.ausgabe_umfasst_denken` say it.',
  sentSchemas,
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

export const Annahme = component('Annahme', 'What became of a batch that is stored.', {
  angenommen: field(
    count(),
    'Distinct events accepted; together with `doppelt_im_stapel` the length of the batch.',
    2,
  ),
  doppelt_im_stapel: field(count(), 'Events whose `ereignis_id` stood in the same batch before.', 0),
  eingang_id: field(nullable(uuid()), 'Names the stored batch; null when there was nothing to store.'),
  eingriffe: field(
    listOf(EingriffAktiv, MAX_IN_FORCE),
    'Interventions in force that can be about calls of the agents of the batch.',
  ),
});

export const ereignisseAnnehmen = operation({
  id: 'ereignisse.annehmen',
  method: 'POST',
  path: '/v1/ereignisse',
  summary: 'Nimmt einen Stapel von Modellaufrufen an; 202 heißt: dauerhaft gespeichert.',
  description: `Accepts a batch of model calls; 202 means it is durable on disk, and it is counted within moments. One invalid event refuses the batch as a whole. Bodies may be compressed (\`gzip\`, \`deflate\`, \`br\`); more than ${MAX_EVENTS_PER_BATCH} events or ${MAX_BATCH_BYTES / 1024 / 1024} MiB, also after decompression, answer 413.`,
  access: { kind: 'key', scope: 'Senden' },
  refuses: { 409: ['schluessel_in_arbeit'] },
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
