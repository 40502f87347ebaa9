import { emailBestaetigungSenden } from '#contracts';
import { akteurOf } from '#domains/protokoll/index.ts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { sendConfirmation } from '../service/bestaetigung.ts';

export const emailBestaetigungSendenRoute = (context: ServiceContext): Route =>
  route(emailBestaetigungSenden, (call) =>
    sendConfirmation(context, call.principal, akteurOf(call), context.config.linksInAnswers),
  );
