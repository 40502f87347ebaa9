/** Resolves session tokens to who holds them. */

import type { ServiceContext } from '#platform/context.ts';
import type { Authenticator } from '#platform/principal.ts';
import { hashOf, isSecret } from '#platform/secret.ts';
import { principalOf } from './principal-of.ts';
import { isSessionExpired, isTouchDue } from './rules.ts';
import { deleteSitzung, findSitzung, touchSitzung } from './store/sitzungen.ts';

export function createSessionLookup(context: ServiceContext): Authenticator['session'] {
  return async (token) => {
    if (!isSecret(token)) return null;
    const hash = hashOf(token);
    const now = context.clock.now();
    return context.db.transaction(async (client) => {
      const found = await findSitzung(client, hash);
      if (!found) return null;
      const principal = principalOf(found);
      if (isSessionExpired(found, now)) {
        await deleteSitzung(await client.bind(principal.mandant), hash);
        return null;
      }
      if (isTouchDue(found, now)) {
        await touchSitzung(await client.bind(principal.mandant), hash, now.toISOString());
      }
      return principal;
    });
  };
}
