/** The Model Context Protocol: what agents ask about themselves, as tools. */
import type { InForce } from '#domains/eingriffe/index.ts';
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { nachrichtRoute } from './routes/nachricht.ts';

export const mcpRoutes = (service: ServiceContext, inForce: InForce): Route[] => [
  nachrichtRoute({ service, inForce }),
];
