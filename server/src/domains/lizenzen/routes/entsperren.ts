import { lizenzEntsperren } from '#contracts';
import { type AsOperator, betreiberOf } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { unblock } from '../owner/issuing.ts';
import { toApi } from './to-api.ts';

export const entsperrenRoute = ({ clock }: ServiceContext, asOperator: AsOperator): Route =>
  asOperator(lizenzEntsperren, async (call, owner) =>
    toApi(await unblock(owner, call.body, { akteur: betreiberOf(call), now: clock.now() })),
  );
