import { gesund } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createProbe } from '../probe.ts';
import { ping } from '../store.ts';

export function gesundRoute(context: ServiceContext): Route {
  const probe = createProbe(() => ping(context.db));
  const answer = (state: 'ok' | 'gestört') => ({ status: state, datenbank: state, version: context.version });
  return route(gesund, async ({ reply }) => {
    try {
      await probe();
      return answer('ok');
    } catch (error) {
      context.log.warn({ err: error }, 'health check: no answer from the database');
      reply.code(503);
      return answer('gestört');
    }
  });
}
