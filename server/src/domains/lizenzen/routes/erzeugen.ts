import { lizenzErzeugen } from '#contracts';
import { type AsOperator, betreiberOf } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { issue } from '../owner/issuing.ts';

export const erzeugenRoute = (context: ServiceContext, asOperator: AsOperator): Route =>
  asOperator(lizenzErzeugen, (call, owner) => {
    const input = { ...call.body, gueltig_bis: call.body.gueltig_bis ?? null };
    return issue(owner, context, input, { akteur: betreiberOf(call), now: context.clock.now() });
  });
