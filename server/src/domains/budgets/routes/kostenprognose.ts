import { kostenprognose } from '#contracts';
import { route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { readForecast } from '../service/prognose.ts';

export const kostenprognoseRoute = (context: ServiceContext) =>
  route(kostenprognose, ({ principal }) => readForecast(context, principal.mandant));
