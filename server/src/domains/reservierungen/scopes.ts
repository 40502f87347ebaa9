/** Which calls have hard limits, so that clients know when they have to ask. */
import { type HarteGrenze, MAX_SCOPES, type Static } from '#contracts';
import type { MandantTx } from '#platform/database/index.ts';
import { readHardLimits } from './hard-limits.ts';

type Scope = Static<typeof HarteGrenze>;

/** Each once; where there are too many to name, of all calls. */
export async function readScopes(tx: MandantTx): Promise<Scope[]> {
  const scopes = new Map<string, Scope>();
  for (const { bereich, objekt, of } of await readHardLimits(tx)) {
    const scope = { objekt_art: bereich, objekt, je_lauf: of.kind === 'lauf' };
    scopes.set(JSON.stringify(scope), scope);
  }
  if (scopes.size <= MAX_SCOPES) return [...scopes.values()];
  return [false, true].map((je_lauf) => ({ objekt_art: 'mandant', objekt: '', je_lauf }));
}
