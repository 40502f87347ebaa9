import { mandantReaktivieren } from '#contracts';
import { type AsOperator, betreiberOf } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { takeBackKuendigung } from '../owner/take-back.ts';

export const zuruecknehmenRoute = (context: ServiceContext, asOperator: AsOperator): Route =>
  asOperator(mandantReaktivieren, async (call, owner) => {
    const acting = { akteur: betreiberOf(call), now: context.clock.now() };
    const mandant = mandantId(call.params.mandant_id);
    const { entsperrte_schluessel, ohne_adresse } = await takeBackKuendigung(owner, context, mandant, acting);
    return { status: 'aktiv' as const, entsperrte_schluessel, ohne_adresse };
  });
