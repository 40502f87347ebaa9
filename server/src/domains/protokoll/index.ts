/** The audit log: every change with who, what, before, after, when, from where. */
import type { OperatorRoute, Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { OperatorDatabase } from './owner/operator-acts.ts';
import { pruefprotokollRoute } from './routes/pruefprotokoll.ts';

export { type Akteur, akteurOf, asSeenByMandant, betreiberOf, SYSTEM } from './akteur.ts';
export { changedFields } from './changes.ts';
export {
  type Acting,
  actAsOperator,
  actOnMandant,
  type Done,
  type OperatorAct,
  type OperatorDatabase,
} from './owner/operator-acts.ts';
export { readOperatorLog } from './owner/read-acts.ts';
export { recordChange, wasDone } from './store.ts';

/** Makes a route of an operator's operation, whose handler acts as the owner of the database; of no other operation. */
export type AsOperator = OperatorRoute<OperatorDatabase>;

export const protokollRoutes = (context: ServiceContext): Route[] => [pruefprotokollRoute(context)];
