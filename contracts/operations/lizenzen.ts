/** Licences of self-hosted installations: made out and blocked by operators, and the public list of blocked ones. */
import {
  component,
  count,
  datetime,
  field,
  integer,
  listOf,
  nullable,
  oneOf,
  operation,
  optional,
  pageQuery,
  preset,
  rowsOf,
  Type,
  text,
  uuid,
  weiter,
} from '../kit/index.ts';

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

const Lizenzeintrag = component('Lizenzeintrag', 'A licence that was made out here.', {
  lizenz_id: field(uuid(), 'Names the licence.'),
  fingerabdruck: field(text(), 'SHA-256 of the licence.'),
  kunde: field(text(), 'Whom it was made out to.', 'Muster GmbH'),
  paket: field(text(), 'The package it gives.', 'enterprise'),
  gueltig_bis: field(nullable(datetime()), 'Until when; null without end.'),
  mandanten: field(count(), 'How many Mandanten it covers.', 3),
  kid: field(text(), 'The key it is signed with.'),
  ausgestellt_am: field(datetime(), 'When it was made out.'),
  ausgestellt_von: field(nullable(text()), 'By whom.', 'anna@example.org'),
  status: field(oneOf('aktiv', 'gesperrt'), 'Active or blocked.'),
  gesperrt_am: field(nullable(datetime()), 'When it was blocked; null while it is active.'),
  grund: field(nullable(text()), 'Why it was blocked; not on the public list.'),
});

export const lizenzenListe = operation({
  id: 'lizenzen.liste',
  method: 'GET',
  path: '/v1/betreiber/lizenzen',
  summary: 'Die ausgestellten Lizenzen, die neueste zuerst.',
  description: 'Licences that were made out here, the latest first.',
  access: { kind: 'operator' },
  query: Type.Object(pageQuery(100)),
  response: component('Lizenzen', 'Licences, and what comes behind them.', {
    lizenzen: field(rowsOf(Lizenzeintrag), 'The licences.'),
    weiter,
  }),
});

export const lizenzErzeugen = operation({
  id: 'lizenzen.erzeugen',
  method: 'POST',
  path: '/v1/betreiber/lizenzen/erzeugen',
  summary: 'Stellt eine Lizenz für eine selbst betriebene Installation aus.',
  description:
    'Makes out a licence for a self-hosted installation, signed with the active key. The answer is the only place where the licence itself is shown: fingerprint and contents are kept, it is not.',
  access: { kind: 'operator' },
  body: component('LizenzErzeugen', 'A licence to make out.', {
    kunde: field(text({ min: 2, max: 120 }), 'Whom it is made out to.', 'Muster GmbH'),
    paket: preset(field(text({ max: 60 }), 'The package it gives: any but `frei`.'), 'enterprise'),
    gueltig_bis: field(optional(datetime()), 'Until when; without end unless given.'),
    mandanten: preset(
      field(integer({ min: 1, max: 1_000_000 }), 'How many Mandanten the installation may have.'),
      1,
    ),
  }),
  response: component('AusgestellteLizenz', 'The licence, to be handed to the customer.', {
    lizenz: field(Lizenzeintrag, 'What is kept of it.'),
    token: field(text(), 'For `LIZENZ` of the installation.'),
    pruefschluessel: field(
      text(),
      'For `LIZENZ_PRUEFSCHLUESSEL` of the installation: the public key, a JWK as JSON.',
    ),
  }),
});

const LizenzSperren = component('LizenzSperren', 'Which licences, and why.', {
  lizenz_id: field(optional(uuid()), 'Names one licence.'),
  fingerabdruck: field(optional(text({ max: 100 })), 'Names one licence by its fingerprint.'),
  kunde: field(optional(text({ max: 120 })), 'All licences made out to this name.', 'Muster GmbH'),
  grund: preset(
    field(text({ max: 200 }), 'Why; for operators, not on the public list. Left alone when unblocking.'),
    'gesperrt',
  ),
});

const Sperrung = component('Sperrung', 'What came of it.', {
  gefunden: field(count(), 'Licences that were meant.', 1),
  geaendert: field(count(), 'Those of them that it was otherwise with before.', 1),
  nummer: field(count(), 'Number of the revocation list now.', 7),
});

const WHICH =
  'Named by `lizenz_id`, `fingerabdruck` or `kunde`; several must agree. A `kunde` alone means every licence of that customer.';

export const lizenzSperren = operation({
  id: 'lizenzen.sperren',
  method: 'POST',
  path: '/v1/betreiber/lizenzen/sperren',
  summary: 'Setzt Lizenzen auf die Sperrliste.',
  description: `Puts licences on the revocation list. ${WHICH}`,
  access: { kind: 'operator' },
  refuses: { 404: ['nicht_gefunden'], 409: ['sperrliste_voll'] },
  body: LizenzSperren,
  response: Sperrung,
});

export const lizenzEntsperren = operation({
  id: 'lizenzen.entsperren',
  method: 'POST',
  path: '/v1/betreiber/lizenzen/entsperren',
  summary: 'Nimmt Lizenzen von der Sperrliste.',
  description: `Takes licences off the revocation list, which gets another number. ${WHICH}`,
  access: { kind: 'operator' },
  refuses: { 404: ['nicht_gefunden'] },
  body: LizenzSperren,
  response: Sperrung,
});
