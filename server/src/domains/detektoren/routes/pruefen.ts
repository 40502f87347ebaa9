import { detektorenPruefen } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { detectNow } from '../service/pruefen.ts';

export const detektorenPruefenRoute = (context: ServiceContext) =>
  route(detektorenPruefen, ({ principal }) => detectNow(context, principal.mandant));
