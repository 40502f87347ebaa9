/** Everything of a Mandant, to take away. */
import { integer, operation, Type, text } from '../kit/index.ts';

/**
 * Answers with a ZIP archive as it is made: its length is not known beforehand, an archive without its end is a failed
 * one. The header `x-zaehlwerk-ereignisse` says how many counted events are in it, which is nearly all of its size.
 * `tage` are local days, today included. 429 `export_laeuft` while another export of the Mandant is under way.
 */
export const exportZip = operation({
  id: 'export.alles',
  method: 'GET',
  path: '/v1/cockpit/export.zip',
  summary:
    'Alle Daten des Mandanten als ZIP: JSON, dazu CSV der letzten Tage. Der Kopf x-zaehlwerk-ereignisse nennt die Zahl der Ereignisse.',
  access: { kind: 'session', right: 'daten.ausgeben' },
  query: Type.Object({ tage: Type.Optional(integer({ min: 1, max: 3660, default: 90 })) }),
  media: ['application/zip'],
  response: text(),
});
