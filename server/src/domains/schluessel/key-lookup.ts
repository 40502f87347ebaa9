/** Resolves API keys to who holds them. */

import { mandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Authenticator, KeyPrincipal } from '#platform/principal.ts';
import { hashOf } from '#platform/secret.ts';
import { isKeySecret } from './rules.ts';
import { type FoundSchluessel, findSchluessel, recordSchluesselUse } from './store.ts';

/** A blocked key is refused after this long at the latest, in every process. */
const CACHE_MS = 1_000;
const USE_RECORD_MS = 60_000;
const MAX_REMEMBERED = 10_000;

interface Remembered {
  principal: KeyPrincipal;
  /** On the monotonic clock: a clock set back must not keep a blocked key alive. */
  validUntil: number;
  useRecordedAt: number;
}

const toKeyPrincipal = (found: FoundSchluessel): KeyPrincipal => ({
  kind: 'key',
  mandant: mandantId(found.mandant_id),
  schluesselId: found.schluessel_id,
  bereiche: found.bereiche,
  projekt: found.projekt,
});

/** Notes when a key was last used, at most once a minute; the request does not wait for it. */
function recordUse(context: ServiceContext, entry: Remembered): void {
  const now = performance.now();
  if (now - entry.useRecordedAt < USE_RECORD_MS) return;
  entry.useRecordedAt = now;
  const { mandant, schluesselId } = entry.principal;
  context.db
    .forMandant(mandant, (tx) => recordSchluesselUse(tx, schluesselId, context.clock.now().toISOString()))
    .catch((error: unknown) => context.log.warn({ err: error, mandant }, 'use of a key not recorded'));
}

export function createKeyLookup(context: ServiceContext): Authenticator['key'] {
  const remembered = new Map<string, Remembered>();
  const remember = (id: string, entry: Remembered) => {
    remembered.delete(id);
    remembered.set(id, entry);
    // A Map keeps the order of insertion: the first one was looked up longest ago.
    const oldest = remembered.keys().next().value;
    if (remembered.size > MAX_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  };
  return async (secret) => {
    if (!isKeySecret(secret)) return null;
    const hash = hashOf(secret);
    const id = hash.toString('base64');
    // Counted from before the look-up: a block committed during it must not gain a second.
    const startedAt = performance.now();
    let entry = remembered.get(id);
    if (!entry || entry.validUntil <= startedAt) {
      const found = await context.db.transaction((client) => findSchluessel(client, hash));
      if (!found || found.gesperrt) {
        remembered.delete(id);
        return null;
      }
      const useRecordedAt = remembered.get(id)?.useRecordedAt ?? Number.NEGATIVE_INFINITY;
      entry = { principal: toKeyPrincipal(found), validUntil: startedAt + CACHE_MS, useRecordedAt };
      remember(id, entry);
    }
    recordUse(context, entry);
    return entry.principal;
  };
}
