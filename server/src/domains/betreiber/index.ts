/** What operators of the installation see and do, over all Mandanten: figures and sums, never what a Mandant has in it. */
import type { AsOperator } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import { protokollRoute } from './routes/protokoll.ts';

export const betreiberRoutes = (asOperator: AsOperator): Route[] => [protokollRoute(asOperator)];
