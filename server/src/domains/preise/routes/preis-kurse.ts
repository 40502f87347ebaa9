import { preisKurse } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { showRates } from '../service/rates.ts';

export const preisKurseRoute = (context: ServiceContext): Route =>
  route(preisKurse, () => showRates(context));
