import { mandantenListe } from '#contracts';
import type { AsOperator } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { reportMandanten } from '../owner/reports.ts';

export const mandantenRoute = (context: ServiceContext, asOperator: AsOperator): Route =>
  asOperator(mandantenListe, ({ query }, owner) => reportMandanten(owner, context, query));
