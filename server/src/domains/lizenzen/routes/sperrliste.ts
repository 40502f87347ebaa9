import { sperrliste } from '#contracts';
import { Content, type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createSperrliste } from '../service/sperrliste.ts';

export function sperrlisteRoute(context: ServiceContext): Route {
  const read = createSperrliste(context);
  // As it was signed: written anew it might be spelled differently.
  return route(
    sperrliste,
    async ({ query }) => new Content('application/json; charset=utf-8', await read(query.kid)),
  );
}
