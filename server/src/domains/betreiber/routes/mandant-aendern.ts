import { mandantAendern } from '#contracts';
import { type AsOperator, betreiberOf } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readMandantSeen } from '../owner/reports.ts';
import { changeMandant } from '../service.ts';

export const mandantAendernRoute = (context: ServiceContext, asOperator: AsOperator): Route =>
  asOperator(mandantAendern, async (call, owner) => {
    const mandant = mandantId(call.params.mandant_id);
    await changeMandant(owner, mandant, call.body, { akteur: betreiberOf(call), now: context.clock.now() });
    return readMandantSeen(owner, context, mandant);
  });
