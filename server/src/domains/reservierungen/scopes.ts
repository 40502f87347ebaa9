/** Which calls have hard limits, so that clients know when they have to ask. */
import { type HarteGrenze, MAX_SCOPES, type Static } from '#contracts';
import type { MandantTx } from '#platform/database/index.ts';
import { type HardLimit, readHardLimits } from './hard-limits.ts';
import { named } from './tags.ts';

type Scope = Static<typeof HarteGrenze>;

const exceptions = ({ ausser }: HardLimit): Scope[] =>
  [...ausser].map((tag) => ({ ...named(tag), je_agent: false, je_lauf: false }));

/**
 * Each once; where there are too many to name, of all calls. Calls that a limit leaves out are named, too: clients share blocks between
 * calls that are alike in all kinds that are named.
 */
export async function readScopes(tx: MandantTx): Promise<Scope[]> {
  const found = (await readHardLimits(tx)).flatMap((limit): Scope[] => [
    {
      objekt_art: limit.bereich,
      objekt: limit.objekt,
      je_agent: limit.jeAgent,
      je_lauf: limit.of.kind === 'lauf',
    },
    ...exceptions(limit),
  ]);
  const scopes = [...new Map(found.map((scope) => [JSON.stringify(scope), scope])).values()];
  if (scopes.length <= MAX_SCOPES) return scopes;
  const kinds = new Map(scopes.map((scope) => [scope.objekt_art, scope]));
  const all = { objekt_art: 'mandant', objekt: '' } as const;
  return [
    { ...all, je_agent: true, je_lauf: false },
    { ...all, je_agent: false, je_lauf: true },
    ...kinds.values(),
  ];
}
