/** Everything of a Mandant, to take away. */
import { CPU_OF_AN_ARCHIVE, field, integer, operation, preset, Type, text } from '../kit/index.ts';

export const exportZip = operation({
  id: 'export.alles',
  method: 'GET',
  path: '/v1/cockpit/export.zip',
  summary:
    'Alle Daten des Mandanten als ZIP: JSON, dazu CSV der letzten Tage. Der Kopf x-zaehlwerk-ereignisse nennt die Zahl der Ereignisse.',
  description:
    'Everything of the Mandant as of one moment, as a ZIP archive that is sent while it is made: its length is not known beforehand, an archive without its end is a failed one. It is made as fast as the service can, however slowly it is read; a reader that takes less than 64 KiB a second of what is there is cut off after a minute or two. The header `x-zaehlwerk-ereignisse` says how many counted events are in it, which is nearly all of its size. What the role may not read elsewhere is not in it; its `LIESMICH.txt` says what was left out. 429 `export_laeuft` while another export of the Mandant is under way, or too many are being made; 503 `export_kein_platz` when the disk of the service has no room for it.',
  cpu: CPU_OF_AN_ARCHIVE,
  access: { kind: 'session', right: 'daten.ausgeben' },
  refuses: { 429: ['export_laeuft'], 503: ['export_kein_platz'] },
  query: Type.Object({
    tage: preset(
      field(integer({ min: 1, max: 3660 }), 'How many local days the CSV files reach back, today included.'),
      90,
    ),
  }),
  media: ['application/zip'],
  response: text(),
});
