/** What needs no credentials: health and status. */
import { count, datetime, nullable, oneOf, operation, Type, text } from '../kit/index.ts';

export const gesund = operation({
  id: 'system.gesund',
  method: 'GET',
  path: '/v1/gesund',
  summary: 'Lebenszeichen: 200, wenn Dienst und Datenbank antworten, sonst 503.',
  access: { kind: 'public' },
  response: Type.Object({
    status: oneOf('ok', 'gestört'),
    datenbank: oneOf('ok', 'gestört'),
    version: text(),
  }),
});

export const status = operation({
  id: 'system.status',
  method: 'GET',
  path: '/v1/status',
  summary: 'Zustand des Systems, ohne Angaben zu einzelnen Mandanten.',
  access: { kind: 'public' },
  response: Type.Object({
    status: oneOf('betriebsbereit', 'eingeschränkt', 'gestört'),
    version: text(),
    zeit: datetime(),
    komponenten: Type.Array(
      Type.Object({
        name: oneOf('datenbank', 'annahme', 'zaehlung'),
        status: oneOf('ok', 'eingeschränkt', 'gestört'),
      }),
    ),
    /** Seconds the oldest accepted and not yet counted batch has waited; null when the database is away. */
    rueckstand_sekunden: nullable(count()),
  }),
});
