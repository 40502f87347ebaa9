import { projekte } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { listProjects } from '../service.ts';

export const projekteRoute = ({ db }: ServiceContext) =>
  route(projekte, ({ principal, query }) => listProjects(db, principal.mandant, query));
