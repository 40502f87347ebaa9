import { lizenzSperren } from '#contracts';
import { type AsOperator, betreiberOf } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { block } from '../owner/issuing.ts';
import { toApi } from './to-api.ts';

export const sperrenRoute = ({ clock }: ServiceContext, asOperator: AsOperator): Route =>
  asOperator(lizenzSperren, async (call, owner) => {
    const { grund, ...wahl } = call.body;
    return toApi(await block(owner, wahl, grund, { akteur: betreiberOf(call), now: clock.now() }));
  });
