/** One run of an agent, step by step, with its failures and retries. */
import { type DemoEvent, fail, type Outcome, succeed } from './call.ts';
import { createDrift, newFingerprint } from './fingerprint.ts';
import { type Incidents, OUTAGE_PROVIDER } from './incidents.ts';
import type { Random } from './random.ts';
import { type Agent, CUSTOMERS, type Model } from './scenario.ts';

/** Where a run's ids come from: each call gives another one, the same ones after every start. */
export type NextId = () => string;

const FAILURE_SHARE = 0.018;
const OUTAGE_FAILURE_SHARE = 0.6;
/** An agent that failed this often in a row gives up. */
const MAX_ATTEMPTS = 3;
const FIRST_RETRY_MS = 1_500;
const CACHE_LOST = 0.03;
const WARM_START = 0.6;
const SOURCE = 'demo';

/** Short runs are more frequent than long ones. */
const stepsOf = (agent: Agent, random: Random): number => {
  const [min, max] = agent.steps;
  return min + Math.floor((max - min + 1) * random.next() ** 1.6);
};

/** Milliseconds between two steps. */
const pauseOf = (agent: Agent, random: Random): number => random.around(agent.pause * 1_000 + 200, 0.6);

/** What all events of the run have in common. */
function attributes(agent: Agent, model: Model, nextId: NextId, random: Random): Partial<DemoEvent> {
  return {
    lauf_id: nextId(),
    agent: agent.key,
    anbieter: model.anbieter,
    modell: model.modell,
    quelle: SOURCE,
    funktion_ref: random.pick(agent.functions),
    ...(random.chance(agent.forCustomers) ? { endkunde_ref: random.weighted(CUSTOMERS) } : {}),
    ...(agent.users.length > 0 ? { benutzer_ref: random.pick(agent.users) } : {}),
  };
}

/** The tools a step asks for; the last step of a run answers and asks for none. */
function toolsOf(agent: Agent, isLast: boolean, random: Random): Partial<DemoEvent> {
  if (isLast || agent.tools.length === 0) return {};
  const werkzeugaufrufe = random.weighted([
    [8, 1],
    [2, 2],
    [1, 3],
  ]);
  return {
    werkzeugaufrufe,
    werkzeug_fingerabdruck: newFingerprint(random),
    zusatz: { werkzeug: random.pick(agent.tools) },
  };
}

/** The context a run works with: how long it is, and how much of its beginning the provider has in its cache. */
function createContext(agent: Agent, random: Random) {
  let total = agent.tokens.prompt + random.around(agent.tokens.task, 0.5);
  let known = random.chance(WARM_START) ? agent.tokens.prompt : 0;
  return {
    read: () => ({ total, known: random.chance(CACHE_LOST) ? 0 : known }),
    grow(answer: number) {
      known = total;
      if (agent.tokens.growth > 0) total += answer + random.around(agent.tokens.growth, 0.6);
    },
  };
}

/** Decides whether a call fails, and what it then uses and takes. */
function callOf(
  agent: Agent,
  model: Model,
  { total, known }: { total: number; known: number },
  isOutage: boolean,
  random: Random,
): { failed: boolean; outcome: Outcome } {
  const failed = random.chance(isOutage ? OUTAGE_FAILURE_SHARE : FAILURE_SHARE);
  const outcome = failed ? fail(model, total, isOutage, random) : succeed(agent, model, total, known, random);
  return { failed, outcome };
}

/** The events of a run that begins at `start` (epoch milliseconds), in order. */
export function runEvents(
  agent: Agent,
  start: number,
  incidents: Incidents,
  nextId: NextId,
  random: Random,
): DemoEvent[] {
  const model = random.weighted(agent.models);
  const shared = attributes(agent, model, nextId, random);
  const steps = stepsOf(agent, random);
  const context = createContext(agent, random);
  const drift = createDrift(random);
  const events: DemoEvent[] = [];
  let at = start;
  let print = drift();
  for (let step = 1, attempts = 0; step <= steps && attempts < MAX_ATTEMPTS; ) {
    const isOutage = model.anbieter === OUTAGE_PROVIDER && incidents.isOutage(at);
    const { failed, outcome } = callOf(agent, model, context.read(), isOutage, random);
    events.push({
      ereignis_id: nextId(),
      zeitpunkt: new Date(at).toISOString(),
      ...shared,
      schritt_nr: events.length + 1,
      prompt_fingerabdruck: print,
      ...outcome,
      ...(failed ? {} : toolsOf(agent, step === steps, random)),
    });
    at += (outcome.latenz_ms ?? 0) + (failed ? FIRST_RETRY_MS * 2 ** attempts : pauseOf(agent, random));
    attempts = failed ? attempts + 1 : 0;
    // A failed step is tried again with the same prompt.
    if (failed) continue;
    step += 1;
    print = drift();
    context.grow(outcome.ausgabe_token ?? 0);
  }
  return events;
}
