/** One call of a model: its tokens, its time, its failure. */
import type { EreignisEingang, Static } from '#contracts';
import type { Random } from './random.ts';
import { type Agent, ERROR_CODES, type Model } from './scenario.ts';

/** An event as the service takes it, with the fields that the demo always sends. */
export type DemoEvent = Static<typeof EreignisEingang> & { ereignis_id: string; zeitpunkt: string };

type Usage = Pick<
  DemoEvent,
  'eingabe_token' | 'ausgabe_token' | 'cache_lese_token' | 'cache_schreib_token' | 'denk_token'
>;

/** What a call uses and how long it takes. */
export type Outcome = Usage &
  Pick<DemoEvent, 'latenz_ms' | 'erste_zeichen_ms' | 'status' | 'fehlercode' | 'geschaetzt'>;

/** Providers cache nothing shorter. */
const SMALLEST_CACHE = 1_024;
const CACHE_BLOCK = 128;
const ESTIMATED = 0.018;
const LATENCY_SPREAD = 0.28;

/** Input as the provider reports it; `known` are the tokens at the beginning that it has seen just before. */
function inputOf(model: Model, total: number, known: number, random: Random): Usage {
  const cached = known < SMALLEST_CACHE ? 0 : Math.min(known, total);
  if (model.cache === 'none' || total < SMALLEST_CACHE) return { eingabe_token: total };
  if (model.cache === 'automatic') {
    return { eingabe_token: total, cache_lese_token: Math.floor(cached / CACHE_BLOCK) * CACHE_BLOCK };
  }
  const fresh = Math.min(random.integer(3, 40), total - cached);
  return {
    eingabe_token: fresh,
    cache_lese_token: cached,
    cache_schreib_token: total - cached - fresh,
  };
}

/** Answer and reasoning; Google reports reasoning beside the answer, the others within it. */
function outputOf(
  agent: Agent,
  model: Model,
  random: Random,
): { usage: Usage; generated: number; thought: number } {
  const answer = random.around(agent.tokens.answer, 0.45);
  if (model.thinking === 0) return { usage: { ausgabe_token: answer }, generated: answer, thought: 0 };
  const thought = random.around(model.thinking, 0.7);
  const beside = model.anbieter === 'google';
  return {
    usage: { ausgabe_token: beside ? answer : answer + thought, denk_token: thought },
    generated: answer + thought,
    thought,
  };
}

/** A call that succeeds. */
export function succeed(agent: Agent, model: Model, total: number, known: number, random: Random): Outcome {
  const { usage, generated, thought } = outputOf(agent, model, random);
  const pace = model.tokensPerSecond / 1_000;
  const first = random.around(model.firstTokenMs + total / 60, LATENCY_SPREAD) + Math.round(thought / pace);
  const rest = random.around((generated - thought) / pace, LATENCY_SPREAD);
  const times = { latenz_ms: first + rest, ...(agent.streams ? { erste_zeichen_ms: first } : {}) };
  // Some answers come without counts; the sender then estimates and knows nothing of the cache.
  if (random.chance(ESTIMATED)) {
    return { eingabe_token: total, ausgabe_token: generated, geschaetzt: true, ...times };
  }
  return { ...inputOf(model, total, known, random), ...usage, ...times };
}

type Failure = 'limit' | 'overloaded' | 'broken' | 'timeout';

const FAILURES: readonly (readonly [number, Failure])[] = [
  [46, 'limit'],
  [14, 'overloaded'],
  [14, 'broken'],
  [26, 'timeout'],
];
const TIMEOUT_MS = 60_000;

/** A call that fails. Refused calls use nothing; one that times out has used what was sent, as far as one can tell. */
export function fail(model: Model, total: number, isOutage: boolean, random: Random): Outcome {
  const failure = isOutage ? 'overloaded' : random.weighted(FAILURES);
  if (failure === 'timeout') {
    return {
      status: 'fehler',
      fehlercode: 'timeout',
      eingabe_token: total,
      geschaetzt: true,
      latenz_ms: TIMEOUT_MS + random.integer(2, 60),
    };
  }
  return {
    status: 'fehler',
    fehlercode: ERROR_CODES[model.anbieter]?.[failure] ?? failure,
    latenz_ms: random.around(failure === 'limit' ? 240 : 1_900, 0.5),
  };
}
