/** The audit log: every change with who, what, before, after, when, from where. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { pruefprotokollRoute } from './routes/pruefprotokoll.ts';

export { type Akteur, akteurOf, SYSTEM } from './akteur.ts';
export { changedFields } from './changes.ts';
export { type Eintrag, recordChange } from './store.ts';

export const protokollRoutes = (context: ServiceContext): Route[] => [pruefprotokollRoute(context)];
