import { ich } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { describeSelf } from '../service/sitzungen.ts';

export const ichRoute = ({ db }: ServiceContext): Route =>
  route(ich, ({ principal }) => db.forMandant(principal.mandant, (tx) => describeSelf(tx, principal)));
