import { uebersicht } from '#contracts';
import type { AsOperator } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { reportInstallation } from '../owner/reports.ts';

export const uebersichtRoute = (context: ServiceContext, asOperator: AsOperator): Route =>
  asOperator(uebersicht, (_call, owner) => reportInstallation(owner, context));
