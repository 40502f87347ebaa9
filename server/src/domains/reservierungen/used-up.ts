/**
 * Limits that calls were refused for: people hear of them, since a limit that is kept is never crossed and no rule fires. Where only what
 * others have reserved is in the way, most of it comes back: nothing is said.
 */

import type { MandantId } from '#kernel/mandant-id.ts';
import { type Eur, eurText } from '#kernel/money.ts';
import type { AusgeschoepfteGrenze } from './jobs/ausgeschoepft-melden.ts';
import type { Decision, LimitStanding } from './rules.ts';
import { named } from './tags.ts';
import { objectIn } from './to-api.ts';

/** A limit with no room for a call, and whose call it was. */
export interface UsedUp {
  by: LimitStanding;
  agent: string;
}

/** Of these decisions, for the calls in the same order. */
export function usedUpIn(
  decisions: readonly Decision[],
  calls: readonly { tags: readonly string[]; cost: { eur: Eur | null } }[],
): UsedUp[] {
  return decisions.flatMap((decision, index) => {
    if (decision.kind === 'granted') return [];
    const { by } = decision;
    const left = by.limit.most - by.spent;
    const isFull = left <= 0n || left < (calls[index]?.cost.eur ?? 0n);
    const agent = calls[index]?.tags.map(named).find(({ objekt_art }) => objekt_art === 'agent')?.objekt;
    return isFull ? [{ by, agent: agent ?? '' }] : [];
  });
}

/** What names a limit as it stands: raised or begun anew it is another one. */
const keyOf = ({ by: { limit, objekt, begins } }: UsedUp): string =>
  [limit.regelId, limit.most, objekt, begins].join(' ');

/** Again after this: the figures have changed. */
const TOLD_FOR_MS = 10 * 60_000;
const MOST_TOLD = 10_000;

/** Which limits this process has lately told of; another process may tell once more, which changes the same finding. */
export function createToldLimits(now: () => number = () => performance.now()) {
  const told = new Map<string, number>();
  const isTold = (key: string) => now() - (told.get(key) ?? Number.NEGATIVE_INFINITY) < TOLD_FOR_MS;
  return {
    /** Those not told yet, each once. */
    newOf(mandant: MandantId, found: UsedUp[]): UsedUp[] {
      const each = new Map(found.map((one) => [`${mandant} ${keyOf(one)}`, one]));
      return [...each].filter(([key]) => !isTold(key)).map(([, one]) => one);
    },
    remember(mandant: MandantId, found: UsedUp[]): void {
      for (const one of found) told.set(`${mandant} ${keyOf(one)}`, now());
      for (const key of told.keys()) if (told.size > MOST_TOLD || !isTold(key)) told.delete(key);
    },
  };
}

/** As the job takes it. */
export function payloadOf({ by, agent }: UsedUp, now: Date): AusgeschoepfteGrenze {
  const { limit, objekt, spent, begins } = by;
  const object = objectIn(limit, objekt);
  const { objekt_art } = object;
  const isAgents = objekt_art === 'lauf' || objekt_art === 'agent';
  return {
    regel_id: limit.regelId,
    name: limit.name,
    ...object,
    agent: isAgents ? agent : null,
    grenze_eur: eurText(limit.most),
    verbraucht_eur: eurText(spent),
    rest_eur: eurText((limit.most > spent ? limit.most - spent : 0n) as Eur),
    beginn: begins,
    abgelehnt_am: now.toISOString(),
  };
}
