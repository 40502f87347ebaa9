/** What findings of the past would have stopped, and from when to when. No input or output here. */
import type { Objektart } from '#contracts';
import {
  type AgentSettings,
  isAtLeast,
  levelOf,
  objectOfIntervention,
  untilOf,
} from '#domains/befunde/index.ts';
import type { Found } from '../candidate.ts';

/** Calls of an object that would not have been made: those after `von` and before `bis` (ISO 8601). */
export interface Sperre {
  objektArt: Objektart;
  objekt: string;
  von: string;
  bis: string;
}

const compare = Temporal.Instant.compare;

/** Blocks of the past days, so that nothing is saved twice. */
export function createSperren() {
  const known = new Map<string, Sperre[]>();

  /** The block that a finding leads to, as far as its object is not blocked already. */
  const blockOf = (found: Found, agent: AgentSettings | undefined): Sperre | null => {
    const von = found.feuertAm ?? found.fensterBeginn;
    const then = new Date(von);
    const stufe = levelOf(found, agent, then);
    if (!isAtLeast(stufe, 'anhalten')) return null;
    const { objekt_art: objektArt, objekt } = objectOfIntervention(stufe, found);
    const until = untilOf(stufe, found, agent, then);
    const before = known.get(`${objektArt} ${objekt}`) ?? [];
    if (!until || before.some((other) => compare(other.von, von) <= 0 && compare(von, other.bis) < 0))
      return null;
    // Days come in order, what runs would have led to does not quite.
    const next = before.map((other) => other.von).filter((other) => compare(other, von) > 0);
    const bis = [until.toISOString(), ...next].reduce((a, b) => (compare(a, b) < 0 ? a : b));
    return { objektArt, objekt, von, bis };
  };

  return {
    /** The blocks of what was found, in the order of time. */
    of(found: Found[], agents: Map<string, AgentSettings>): Sperre[] {
      const at = ({ feuertAm, fensterBeginn }: Found) => feuertAm ?? fensterBeginn;
      const sperren: Sperre[] = [];
      for (const each of [...found].sort((a, b) => compare(at(a), at(b)))) {
        const sperre = blockOf(each, agents.get(each.agent ?? ''));
        if (!sperre) continue;
        const key = `${sperre.objektArt} ${sperre.objekt}`;
        known.set(key, [...(known.get(key) ?? []), sperre]);
        sperren.push(sperre);
      }
      return sperren;
    },
    /** Forgets those that ended before: none of the days to come reaches back so far. */
    forget(before: Temporal.Instant): void {
      for (const [key, sperren] of known) {
        const left = sperren.filter(({ bis }) => compare(bis, before) >= 0);
        if (left.length === 0) known.delete(key);
        else known.set(key, left);
      }
    },
  };
}
