import { gesund } from '#contracts';
import type { Trouble } from '#domains/ereignisse/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';

const word = (works: boolean): 'ok' | 'gestört' => (works ? 'ok' : 'gestört');

export const gesundRoute = (
  context: ServiceContext,
  answers: () => Promise<boolean>,
  trouble: () => Promise<Trouble>,
): Route =>
  route(gesund, async ({ reply }) => {
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
