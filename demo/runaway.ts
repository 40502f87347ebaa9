/** The run that got stuck: all night the same question, the same tool, the same answer, and nobody to stop it. */
import type { DemoEvent } from './call.ts';
import { newFingerprint } from './fingerprint.ts';
import type { Loop } from './incidents.ts';
import type { Random } from './random.ts';
import type { NextId } from './run.ts';
import { SONNET, TEST_WRITER } from './scenario.ts';

const CONTEXT = 38_400;

/** Makes the calls of a run that got stuck, one after the other, each at the instant it is given (epoch milliseconds). */
function createStuckRun(nextId: NextId, random: Random): { lauf: string; next(at: number): DemoEvent } {
  const lauf = nextId();
  const shared = {
    lauf_id: lauf,
    agent: TEST_WRITER.key,
    anbieter: SONNET.anbieter,
    modell: SONNET.modell,
    quelle: 'demo',
    funktion_ref: 'ci-nachtlauf',
    benutzer_ref: 'ci',
    werkzeugaufrufe: 1,
    prompt_fingerabdruck: newFingerprint(random),
    werkzeug_fingerabdruck: newFingerprint(random),
    zusatz: { werkzeug: 'tests-ausfuehren' },
  };
  let step = 0;
  return {
    lauf,
    next(at) {
      const latenz_ms = random.around(5_200, 0.15);
      step += 1;
      return {
        ereignis_id: nextId(),
        zeitpunkt: new Date(at).toISOString(),
        ...shared,
        schritt_nr: step,
        // A time stamp at the top of the prompt: nothing of it is ever found in the cache.
        eingabe_token: CONTEXT + random.integer(-40, 40),
        ausgabe_token: random.integer(205, 240),
        latenz_ms,
        erste_zeichen_ms: Math.round(latenz_ms * 0.4),
      };
    },
  };
}

/** The events of a runaway run; 1,400 steps last about seven hours. */
export function runawayEvents({ beginn, schritte }: Loop, nextId: NextId, random: Random): DemoEvent[] {
  const run = createStuckRun(nextId, random);
  let at = beginn;
  return Array.from({ length: schritte }, () => {
    const event = run.next(at);
    at += (event.latenz_ms ?? 0) + random.around(12_000, 0.2);
    return event;
  });
}
