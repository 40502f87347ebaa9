/** Licences of self-hosted installations: the public list of blocked ones. */
import { component, count, datetime, field, listOf, operation, Type, text, uuid } from '../kit/index.ts';

/** The list is signed as a whole, so it comes as a whole. */
const MAX_SPERREN = 10_000;

const Sperre = component('Sperre', 'A licence that no longer holds.', {
  lizenz_id: field(uuid(), 'Names the licence.'),
  fingerabdruck: field(text(), 'SHA-256 of the licence.'),
  gesperrt_am: field(datetime(), 'When it was blocked.'),
});

export const sperrliste = operation({
  id: 'lizenzen.sperrliste',
  method: 'GET',
  path: '/v1/lizenzen/sperrliste',
  summary: 'Die signierte Liste gesperrter Lizenzen selbst betriebener Installationen.',
  description:
    'The signed revocation list of licences; installations check the signature against the key they are set to believe. It names no customer, and stays the same byte by byte until it changes, at the latest for a day.',
  access: { kind: 'public' },
  keptByAll: 3600,
  refuses: { 404: ['nicht_gefunden'] },
  query: Type.Object({
    kid: Type.Optional(
      field(
        text({ max: 100 }),
        'Signed with this key (RFC 7638 thumbprint), one that is not withdrawn; with the active one unless given.',
      ),
    ),
  }),
  response: component('Sperrliste', 'Every revoked licence, signed.', {
    nummer: field(count(), 'Grows with every change of the list; installations refuse an older one.', 7),
    ausgestellt_am: field(datetime(), 'When the list was made: at its latest change, and each day anew.'),
    gueltig_bis: field(datetime(), 'Until when it may be relied on.'),
    sperren: field(listOf(Sperre, MAX_SPERREN), 'The revoked licences, the first one first.'),
    signatur: field(
      text(),
      'Compact JWS (EdDSA, `typ` `zaehlwerk-sperrliste+json`) whose payload is this object without `signatur`, byte by byte.',
    ),
  }),
});
