import { gesund } from '#contracts';
import type { Trouble } from '#domains/ereignisse/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createProbe } from '../probe.ts';
import { ping } from '../store.ts';

const word = (works: boolean): 'ok' | 'gestört' => (works ? 'ok' : 'gestört');

export function gesundRoute(context: ServiceContext, trouble: () => Promise<Trouble>): Route {
  const probe = createProbe(() => ping(context.db));
  const answers = async () => {
    try {
      await probe();
      return true;
    } catch (error) {
      context.log.warn({ err: error }, 'health check: no answer from the database');
      return false;
    }
  };
  return route(gesund, async ({ reply }) => {
    const isThere = await answers();
    const accepts = isThere && (await trouble().catch(() => 'unreachable')) === null;
    if (!accepts) reply.code(503);
    return {
      status: word(accepts),
      datenbank: word(isThere),
      annahme: word(accepts),
      version: context.version,
    };
  });
}
