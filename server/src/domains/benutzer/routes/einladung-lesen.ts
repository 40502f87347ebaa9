import { einladungLesen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { describeInvitation } from '../service/annahme.ts';

export const einladungLesenRoute = (context: ServiceContext): Route =>
  route(einladungLesen, ({ query }) => describeInvitation(context, query.token));
