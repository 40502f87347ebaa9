/**
 * The agent that gets stuck before everybody's eyes: a program as others write them, connected by the package, that asks its model the
 * same again and again until it gets the order to stop. Only the model is made up.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { createClient, type Eingriff, StoppedByIntervention } from '#client/index.ts';
import { createRandom, type Random } from './random.ts';
import { SONNET, TEST_WRITER } from './scenario.ts';

export interface Pace {
  /** Milliseconds until the first loop, and between two. */
  first: number;
  every: number;
  /** Milliseconds between two calls. */
  step: number;
  /** Calls after which it gives up by itself. */
  longest: number;
}

export const PACE: Pace = { first: 40_000, every: 20 * 60_000, step: 1_500, longest: 60 };

/** Where the service is, and with which key the agent reports to it. */
export interface Reach {
  address: string;
  key: string;
}

/** What became of a loop. */
export interface Looped {
  lauf: string;
  calls: number;
  /** What stopped it; null when nothing did. */
  eingriff: Eingriff | null;
}

const MESSAGES = 'https://api.anthropic.com/v1/messages';
const CONTEXT = 38_400;
const TOOL = 'tests-ausfuehren';

/** What the agent asks each time: it never puts in what came of it. */
const QUESTION = JSON.stringify({
  model: SONNET.modell,
  max_tokens: 1_024,
  tools: [{ name: TOOL, input_schema: { type: 'object', properties: { datei: { type: 'string' } } } }],
  messages: [
    { role: 'user', content: 'Der Test „Warenkorb leeren“ schlägt fehl. Führe die Tests noch einmal aus.' },
  ],
});

/** A model that always wants the same tool; it takes a moment, and no network. */
const stuckModel =
  (random: Random): typeof fetch =>
  async () => {
    await delay(random.integer(40, 90));
    return Response.json({
      id: `msg_${randomUUID().replaceAll('-', '')}`,
      type: 'message',
      role: 'assistant',
      model: SONNET.modell,
      stop_reason: 'tool_use',
      content: [{ type: 'tool_use', id: 'toolu_1', name: TOOL, input: { datei: 'warenkorb.test.ts' } }],
      // A time stamp at the top of the prompt: nothing of it is ever found in the cache.
      usage: { input_tokens: CONTEXT + random.integer(-40, 40), output_tokens: random.integer(205, 240) },
    });
  };

/** One run that got stuck: the package refuses its next call once it is stopped. */
export async function loopOnce({ address, key }: Reach, pace: Pace, signal: AbortSignal): Promise<Looped> {
  const zw = createClient({ baseUrl: address, key, bufferDirectory: false, flushIntervalMs: 100 });
  const ask = zw.instrument({ fetch: stuckModel(createRandom(randomUUID())) });
  const lauf = randomUUID();
  let calls = 0;
  const work = async (): Promise<void> => {
    for (; calls < pace.longest; calls += 1) {
      const answer = await ask(MESSAGES, { method: 'POST', body: QUESTION, signal });
      await answer.json();
      await delay(pace.step, undefined, { signal });
    }
  };
  const who = { agent: TEST_WRITER.key, funktion: 'ci-nachtlauf', benutzer: 'ci', lauf_id: lauf };
  try {
    await zw.run({ ...who, extra: { werkzeug: TOOL } }, work);
    return { lauf, calls, eingriff: null };
  } catch (error) {
    if (!(error instanceof StoppedByIntervention)) throw error;
    return { lauf, calls, eingriff: error.eingriff };
  } finally {
    await zw.shutdown();
  }
}

/** Lets it happen now and then until `signal` is aborted (then it rejects with the abort). */
export async function loopNowAndThen(
  reach: Reach,
  pace: Pace,
  signal: AbortSignal,
  onLooped: (looped: Looped) => Promise<void>,
): Promise<never> {
  await delay(pace.first, undefined, { signal });
  for (;;) {
    await onLooped(await loopOnce(reach, pace, signal));
    await delay(pace.every, undefined, { signal });
  }
}
