/** Agents at work, as the packages send them: many runs under way, each of whose calls has just happened, asks for another tool and knows more. */
import { randomBytes, randomUUID } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { EreignisEingang, Static } from '#contracts';
import { BATCH, type Batch, createPicker, MODELS } from './events.ts';

/** Runs under way at once; each begins another when it has all its calls. */
const RUNS = 4_000;
const CALLS = 20;
const AGENTS = 200;
const CUSTOMERS = 2_000;
const USERS = 300;
const FAILS = 0.02;
/** Tokens that a run begins with, and that it knows more with each call. */
const BEGINS_WITH = 3_000;
const GROWS_BY = 400;

const FUNCTIONS = ['antworten', 'zusammenfassen', 'pruefen'];

const upTo = (limit: number) => Math.floor(Math.random() * limit);
const print = () => randomBytes(8).toString('hex');

/** A run from its beginning: what all its calls have in common. */
function createRuns() {
  const [agents, customers, models] = [AGENTS, CUSTOMERS, MODELS.length].map((limit) =>
    createPicker(limit, true),
  ) as [() => number, () => number, () => number];
  return (step: number) => {
    const agent = agents();
    const [anbieter, modell] = MODELS[models()] as (typeof MODELS)[number];
    return {
      step,
      facts: {
        lauf_id: randomUUID(),
        agent: `projekt-${agent % 4}/agent-${agent}`,
        anbieter,
        modell,
        endkunde_ref: `EK-${1000 + customers()}`,
        funktion_ref: FUNCTIONS[upTo(FUNCTIONS.length)] as string,
        benutzer_ref: `u-${upTo(USERS)}`,
        quelle: 'sdk',
      },
    };
  };
}

/** The next call of a run; the last one asks for no tool. */
function callOf(
  facts: ReturnType<ReturnType<typeof createRuns>>['facts'],
  step: number,
): Static<typeof EreignisEingang> {
  const latenz_ms = 800 + upTo(6_000);
  const common = {
    ...facts,
    ereignis_id: uuidv7(),
    zeitpunkt: new Date().toISOString(),
    schritt_nr: step,
    latenz_ms,
    prompt_fingerabdruck: print(),
    zusatz: { version: '1.2.3', umgebung: 'produktion' },
  };
  if (Math.random() < FAILS)
    return { ...common, werkzeugaufrufe: 0, status: 'fehler', fehlercode: 'rate_limit' };
  const input = BEGINS_WITH + step * GROWS_BY;
  const isLast = step === CALLS;
  return {
    ...common,
    eingabe_token: input,
    cache_lese_token: step === 1 ? 0 : input - GROWS_BY,
    ausgabe_token: 40 + upTo(300),
    erste_zeichen_ms: Math.floor(latenz_ms / 3),
    werkzeugaufrufe: isLast ? 0 : 1,
    ...(isLast ? {} : { werkzeug_fingerabdruck: print() }),
    status: 'erfolgreich',
  };
}

/** Yields bodies of 100 calls, each of another run: the next call of a run comes once all others had theirs. */
export function createAgentsAtWork(): () => Batch {
  const begin = createRuns();
  const runs = Array.from({ length: RUNS }, () => begin(upTo(CALLS)));
  let at = 0;
  const nextCall = () => {
    const slot = at++ % RUNS;
    let run = runs[slot] as (typeof runs)[number];
    if (run.step === CALLS) {
      run = begin(0);
      runs[slot] = run;
    }
    run.step += 1;
    return callOf(run.facts, run.step);
  };
  return () => {
    const ereignisse = Array.from({ length: BATCH }, nextCall);
    return { bytes: Buffer.from(JSON.stringify({ ereignisse })), events: BATCH };
  };
}
