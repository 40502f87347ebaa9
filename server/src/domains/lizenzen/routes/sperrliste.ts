import { sperrliste } from '#contracts';
import { type Route, route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { createSigner } from '../signing.ts';
import { readSperrliste } from '../store.ts';

/** An installation that cannot reach us trusts the list it has for this long. */
const VALID_MS = 7 * 24 * 3_600_000;

export function sperrlisteRoute(context: ServiceContext): Route {
  const sign = createSigner(context);
  return route(sperrliste, async () => {
    const { nummer, sperren } = await readSperrliste(context.db);
    const now = context.clock.now();
    const list = {
      nummer,
      ausgestellt_am: now.toISOString(),
      gueltig_bis: new Date(now.getTime() + VALID_MS).toISOString(),
      sperren,
    };
    return { ...list, signatur: await sign(list) };
  });
}
