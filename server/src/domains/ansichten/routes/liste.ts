import { ansichten } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { ownViews } from '../service.ts';

export const ansichtenRoute = (context: ServiceContext): Route =>
  route(ansichten, (call) => ownViews(context, call.principal));
