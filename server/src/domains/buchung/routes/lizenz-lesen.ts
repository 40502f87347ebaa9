import { lizenzLesen } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createLicenceReader } from '../service/lizenz.ts';

export function lizenzLesenRoute(context: ServiceContext): Route {
  const read = createLicenceReader(context);
  return route(lizenzLesen, ({ principal }) => read(principal.mandant));
}
