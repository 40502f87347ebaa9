/** Twenty agents that do what they are for. */
import { Chance } from '../chance.ts';
import { byTime, type PlannedCall } from '../planned.ts';
import { classification, translation } from './bulk.ts';
import { heartbeat, hourly, poller, priceWatch } from './clockwork.ts';
import { coding, research, reviews } from './code.ts';
import { contracts, leads, mails, onboarding, receipts, transcripts } from './office.ts';
import { evaluations, sampling } from './quality.ts';
import { chat, retrieval, voice } from './talk.ts';

const AGENTS: Readonly<Record<string, (chance: Chance, days: number) => PlannedCall[]>> = {
  evaluations,
  sampling,
  chat,
  voice,
  retrieval,
  poller,
  hourly,
  heartbeat,
  priceWatch,
  coding,
  reviews,
  research,
  receipts,
  leads,
  mails,
  contracts,
  onboarding,
  transcripts,
  classification,
  translation,
};

/**
 * Findings that a person wants to be told of although nothing is wrong with the agent: what the Mandant has to do something about. Of
 * all others here nobody wants to hear.
 */
const WANTED: readonly string[] = ['preis_fehlt'];

export const isWanted = ({ typ }: { typ: string }): boolean => WANTED.includes(typ);

/** All their calls of a number of days, in the order of time. */
export function ordinaryCalls(seed: string, days: number): PlannedCall[] {
  const calls = Object.entries(AGENTS).flatMap(([name, agent]) => agent(new Chance(`${seed}/${name}`), days));
  return byTime(calls);
}
