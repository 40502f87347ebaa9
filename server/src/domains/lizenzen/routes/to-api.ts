import type { lizenzSperren, ResponseOf } from '#contracts';
import type { Geaendert } from '../owner/licences.ts';

/** What blocking or unblocking came to, in numbers: a customer may have many licences. */
export const toApi = ({ lizenzen, geaendert, nummer }: Geaendert): ResponseOf<typeof lizenzSperren> => ({
  gefunden: lizenzen.length,
  geaendert: geaendert.length,
  nummer,
});
