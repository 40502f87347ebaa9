import { reservierungenAnlegen } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createReserving } from '../service.ts';

export function anlegenRoute(context: ServiceContext) {
  const reserving = createReserving(context);
  return route(reservierungenAnlegen, ({ principal, body }) => reserving.reserve(principal, body));
}
