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
    const why = isThere ? await trouble().catch(() => 'unreachable' as const) : 'unreachable';
    // Where one worker of a cluster is down, another process would fare no better.
    const accepts = why === null || why === 'partly';
    // What still comes is taken; who asks before sending is to ask another process.
    const isLeaving = context.leaving?.aborted === true;
    if (!accepts || isLeaving) reply.code(503);
    return {
      status: word(accepts && !isLeaving),
      datenbank: word(isThere),
      annahme: word(accepts),
      version: context.version,
    };
  });
