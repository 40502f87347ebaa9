/** Licences of self-hosted installations. */
import { count, datetime, operation, Type, text, uuid } from '../kit/index.ts';

export const sperrliste = operation({
  id: 'lizenzen.sperrliste',
  method: 'GET',
  path: '/v1/lizenzen/sperrliste',
  summary: 'Die signierte Liste gesperrter Lizenzen selbst betriebener Installationen.',
  access: { kind: 'public' },
  response: Type.Object({
    /** Grows with every change of the list; installations refuse an older one. */
    nummer: count(),
    ausgestellt_am: datetime(),
    gueltig_bis: datetime(),
    sperren: Type.Array(
      Type.Object({
        lizenz_id: uuid(),
        fingerabdruck: text(),
        gesperrt_am: datetime(),
        grund: text(),
      }),
    ),
    /** Compact JWS (EdDSA) whose payload is this object without `signatur`. */
    signatur: text(),
  }),
});
