import { ich } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { describeSelf } from '../service/sitzungen.ts';

export const ichRoute = (context: ServiceContext): Route =>
  route(ich, ({ principal }) =>
    context.db.forMandant(principal.mandant, (tx) => describeSelf(context, tx, principal)),
  );
