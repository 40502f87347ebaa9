/** Resolves API keys to who holds them. */

import { mandantId } from '#kernel/mandant-id.ts';
import { forSeveral } from '#platform/caller.ts';
import type { ServiceContext } from '#platform/context.ts';
import type { Authenticator, KeyPrincipal } from '#platform/principal.ts';
import type { Limits, Quotas } from '#platform/quota.ts';
import { hashOf } from '#platform/secret.ts';
import { isKeySecret } from './rules.ts';
import { type FoundSchluessel, findSchluessel, recordSchluesselUse } from './store.ts';

/** A blocked key is refused after this long at the latest, in every process. */
const CACHE_MS = 1_000;
/** Keys that have less left than this are looked up together with one that has nothing left. */
const DUE_MS = 500;
/** Most keys of one look-up: each request that caused it waits for all of them. */
const MAX_TOGETHER = 100;
const USE_RECORD_MS = 60_000;
const MAX_REMEMBERED = 10_000;

interface Remembered {
  hash: Buffer;
  principal: KeyPrincipal;
  /** On the monotonic clock: a clock set back must not keep a blocked key alive. */
  validUntil: number;
  useRecordedAt: number;
}

/** The limits of key and Mandant, of the latter those of the configuration where it has none; null when there are none at all. */
function quotasOf(found: FoundSchluessel, preset: Limits): Quotas | null {
  const schluessel = { anfragen: found.anfragen_je_minute, ereignisse: found.ereignisse_je_minute };
  const mandant = {
    anfragen: found.mandant_anfragen_je_minute ?? preset.anfragen,
    ereignisse: found.mandant_ereignisse_je_minute ?? preset.ereignisse,
  };
  const all = [schluessel.anfragen, schluessel.ereignisse, mandant.anfragen, mandant.ereignisse];
  return all.every((limit) => limit === null) ? null : { schluessel, mandant };
}

const toKeyPrincipal = (found: FoundSchluessel, preset: Limits): KeyPrincipal => ({
  kind: 'key',
  mandant: mandantId(found.mandant_id),
  schluesselId: found.schluessel_id,
  bereiche: found.bereiche,
  projekt: found.projekt,
  kontingente: quotasOf(found, preset),
  annahmeAb: found.annahme_ab,
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

const idOf = (hash: Buffer) => hash.toString('base64');

/** Hashes of keys to be looked up, by their ids. */
type Sought = Map<string, Buffer>;
type Found = Map<string, Remembered | null>;

/**
 * One look-up is under way at a time; those that come meanwhile share the next one. None joins one that has begun: it may not see a
 * block that was there before the request.
 */
function createLookUps(find: (sought: Sought) => Promise<Found>) {
  let last: Promise<unknown> = Promise.resolve();
  let next: { sought: Sought; found: Promise<Found> } | null = null;
  const prepare = () => {
    const sought: Sought = new Map();
    const found = forSeveral(() =>
      last.then(() => {
        if (next?.sought === sought) next = null;
        return find(sought);
      }),
    );
    last = found.catch(() => undefined);
    return { sought, found };
  };
  return async (hash: Buffer): Promise<Remembered | null> => {
    if (!next || next.sought.size >= MAX_TOGETHER) next = prepare();
    const { sought, found } = next;
    sought.set(idOf(hash), hash);
    return (await found).get(idOf(hash)) ?? null;
  };
}

/** The valid keys of late. */
class RememberedKeys {
  /** Of Mandanten that have no limits of their own. */
  readonly #preset: Limits;
  /** Those looked up longest ago first. */
  readonly #entries = new Map<string, Remembered>();
  /** Those somebody has come with since they were looked up. */
  readonly #used = new Set<Remembered>();

  constructor(preset: Limits) {
    this.#preset = preset;
  }

  /** The key, noted as used; null when it must be looked up. */
  use(hash: Buffer): Remembered | null {
    const entry = this.#entries.get(idOf(hash));
    if (!entry || entry.validUntil <= performance.now()) return null;
    this.#used.add(entry);
    return entry;
  }

  /** Notes what a look-up has found; what is not valid is forgotten. */
  note(hash: Buffer, found: FoundSchluessel | undefined, validUntil: number): Remembered | null {
    const before = this.#forget(idOf(hash));
    if (!found || found.gesperrt) return null;
    const useRecordedAt = before?.useRecordedAt ?? Number.NEGATIVE_INFINITY;
    const entry = { hash, principal: toKeyPrincipal(found, this.#preset), validUntil, useRecordedAt };
    this.#entries.set(idOf(hash), entry);
    const oldest = this.#entries.keys().next().value;
    if (this.#entries.size > MAX_REMEMBERED && oldest !== undefined) this.#forget(oldest);
    return entry;
  }

  /** Adds keys in use that would have to be looked up soon. The caller looks them up, so each is named once. */
  addDue(sought: Sought): void {
    const before = performance.now() + DUE_MS;
    for (const entry of this.#used) {
      if (sought.size >= MAX_TOGETHER) return;
      if (entry.validUntil > before) continue;
      this.#used.delete(entry);
      sought.set(idOf(entry.hash), entry.hash);
    }
  }

  #forget(id: string): Remembered | undefined {
    const entry = this.#entries.get(id);
    this.#entries.delete(id);
    if (entry) this.#used.delete(entry);
    return entry;
  }
}

export function createKeyLookup(context: ServiceContext): Authenticator['key'] {
  const remembered = new RememberedKeys(context.config.mandantLimits);
  const lookUp = createLookUps(async (sought) => {
    // Counted from before the look-up: a block committed during it must not gain a second.
    const validUntil = performance.now() + CACHE_MS;
    remembered.addDue(sought);
    const hashes = [...sought.values()];
    const found = await context.db.transaction((client) => findSchluessel(client, hashes));
    return new Map(
      hashes.map((hash, index) => [idOf(hash), remembered.note(hash, found[index], validUntil)]),
    );
  });
  return async (secret) => {
    if (!isKeySecret(secret)) return null;
    const hash = hashOf(secret);
    const entry = remembered.use(hash) ?? (await lookUp(hash));
    if (!entry) return null;
    recordUse(context, entry);
    return entry.principal;
  };
}
