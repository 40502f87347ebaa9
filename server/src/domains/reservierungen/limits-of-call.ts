/** How the limits stand that hold for a call, without reserving anything. */
import { readChosenProjects } from '#domains/katalog/index.ts';
import type { Snapshot } from '#domains/verbrauch/index.ts';
import type { Eur } from '#kernel/money.ts';
import { eurFrom, eurText } from '#kernel/money.ts';
import type { KeyPrincipal } from '#platform/principal.ts';
import { objectOf, readHardLimits } from './hard-limits.ts';
import { type About, readStandings } from './spent.ts';
import { readReserved } from './store.ts';
import { agentOf, tagsOf, type Wish } from './tags.ts';
import { toGrenze } from './to-api.ts';

const NOTHING = eurFrom('0');

/** A call as far as limits look at it. */
export type CallOfLimits = Pick<Wish, 'agent' | 'projekt' | 'endkunde_ref' | 'modell' | 'lauf_id'>;

/** The hard limits that hold for a call of this key, each with what was spent, what is reserved and what remains. */
export async function limitsOfCall(
  { tx, engine }: Pick<Snapshot, 'tx' | 'engine'>,
  { schluesselId, projekt }: Pick<KeyPrincipal, 'schluesselId' | 'projekt'>,
  call: CallOfLimits,
  now: Temporal.ZonedDateTime,
) {
  const wish = call as Wish;
  const agentProjekte = await readChosenProjects(tx, [agentOf(wish)]);
  const tags = tagsOf(wish, { schluesselId, schluesselProjekt: projekt, agentProjekte });
  const about = (await readHardLimits(tx)).flatMap((limit): About[] => {
    const objekt = objectOf(limit, tags);
    return objekt === null ? [] : [{ limit, objekt }];
  });
  const objekte = [...new Set(about.map(({ objekt }) => objekt))];
  const { reserved } = await readReserved(tx, objekte, new Date(now.epochMilliseconds));
  const standings = await readStandings(engine, tx, about, now);
  return standings.map((standing) => {
    const taken = reserved.get(standing.objekt) ?? NOTHING;
    const left = standing.limit.most - standing.spent - taken;
    return { ...toGrenze(standing, taken), rest_eur: eurText((left > 0n ? left : 0n) as Eur) };
  });
}
