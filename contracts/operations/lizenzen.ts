/** Licences of self-hosted installations. */
import { component, count, datetime, field, listOf, operation, text, uuid } from '../kit/index.ts';

/** The list is signed as a whole, so it comes as a whole. */
const MAX_SPERREN = 10_000;

const Sperre = component('Sperre', 'A licence that no longer holds.', {
  lizenz_id: field(uuid(), 'Names the licence.'),
  fingerabdruck: field(text(), 'Fingerprint of the licence.'),
  gesperrt_am: field(datetime(), 'When it was blocked.'),
  grund: field(text(), 'Why, in German.'),
});

export const sperrliste = operation({
  id: 'lizenzen.sperrliste',
  method: 'GET',
  path: '/v1/lizenzen/sperrliste',
  summary: 'Die signierte Liste gesperrter Lizenzen selbst betriebener Installationen.',
  description:
    'The signed revocation list of licences; installations check the signature against a built-in key.',
  access: { kind: 'public' },
  response: component('Sperrliste', 'Every revoked licence, signed.', {
    nummer: field(count(), 'Grows with every change of the list; installations refuse an older one.', 7),
    ausgestellt_am: field(datetime(), 'When the list was made.'),
    gueltig_bis: field(datetime(), 'Until when it may be relied on.'),
    sperren: field(listOf(Sperre, MAX_SPERREN), 'The revoked licences, the first one first.'),
    signatur: field(text(), 'Compact JWS (EdDSA) whose payload is this object without `signatur`.'),
  }),
});
