import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Vorhaben } from './decide.ts';
import type { Eingriff } from './eingriff.ts';
import { StoppedByIntervention } from './errors.ts';
import { GUARD_DEFAULTS, Guard, type GuardOptions } from './guard.ts';
import { eingriff } from './test-eingriff.ts';

const START = Date.parse('2026-11-20T10:00:00Z');
const AGENT = 'support/triage';
const slow = (change: Partial<Eingriff> = {}) => eingriff({ stufe: 'drosseln', ...change });

beforeEach(() => {
  vi.useFakeTimers({ now: START, toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
});
const guards: Guard[] = [];
afterEach(() => {
  for (const guard of guards.splice(0)) guard.close();
  vi.useRealTimers();
});

/** A guard whose service says at first that these are in force, and then nothing more. */
function guardKnowing(eingriffe: Eingriff[], options: Partial<GuardOptions> = {}): Guard {
  let asked = 0;
  const get = async (_url: string, { signal }: { signal: AbortSignal }) => {
    asked += 1;
    if (asked === 1) return new Response(JSON.stringify({ eingriffe }), { headers: { etag: '"1"' } });
    return new Promise<Response>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason));
    });
  };
  const connection = { baseUrl: 'http://service', key: 'k', get, requestTimeoutMs: 1_000, retryDelayMs: 1 };
  const guard = new Guard({ ...GUARD_DEFAULTS, ...options }, connection, async () => '{}');
  guards.push(guard);
  return guard;
}

interface Asked {
  /** When it was let pass or refused, milliseconds since the start. */
  at: number | null;
  /** Why it was refused. */
  error: unknown;
}

/** Asks, and notes what comes of it. */
function ask(guard: Guard, call: Vorhaben = { agent: AGENT }, signal?: AbortSignal): Asked {
  const asked: Asked = { at: null, error: null };
  guard
    .pass(call, signal ? { signal } : {})
    .catch((error: unknown) => {
      asked.error = error;
    })
    .finally(() => {
      asked.at = Date.now() - START;
    });
  return asked;
}

/** Lets time go by, and everything happen that is due. */
async function pass(ms: number): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await turn();
  await vi.advanceTimersByTimeAsync(ms);
}

describe('stopping', () => {
  test('a blocked agent makes no call; the error says what, why and until when', async () => {
    const block = eingriff({ grund: 'Zu teuer.', grund_en: 'Too expensive.', bis: '2026-11-20T11:00:00Z' });
    const asked = ask(guardKnowing([block]));
    const other = ask(guardKnowing([block]), { agent: 'other' });
    await pass(0);
    expect(asked.error).toBeInstanceOf(StoppedByIntervention);
    expect(asked.error).toMatchObject({
      code: 'eingriff',
      eingriff: block,
      message: 'sperren (agent support/triage) until 2026-11-20T11:00:00Z: Too expensive. | Zu teuer.',
    });
    expect(other).toEqual({ at: 0, error: null });
  });

  test('once its time is over it does nothing, whether the service says so or not', async () => {
    const guard = guardKnowing([eingriff({ bis: '2026-11-20T10:00:10Z' })]);
    const before = ask(guard);
    await pass(9_999);
    const still = ask(guard);
    await pass(1);
    const after = ask(guard);
    await pass(0);
    expect([before.error, still.error]).toEqual([expect.any(Error), expect.any(Error)]);
    expect(after).toEqual({ at: 10_000, error: null });
    expect(guard.state().eingriffe).toEqual([]);
  });

  test('a stopped agent goes on with runs that begin later only', async () => {
    const guard = guardKnowing([]);
    const old = { agent: AGENT, lauf_id: randomUUID() };
    const first = ask(guard, old);
    await pass(5_000);
    guard.learn(new Set([AGENT]), [
      eingriff({ stufe: 'anhalten', beginn: new Date(START + 4_000).toISOString() }),
    ]);
    const later = ask(guard, old);
    const begun = ask(guard, { agent: AGENT, lauf_id: randomUUID() });
    const taken = guard.pass(
      { agent: AGENT, lauf_id: randomUUID() },
      { laufBeginn: new Date(START + 3_000) },
    );
    await expect(taken).rejects.toThrow(StoppedByIntervention);
    await pass(0);
    expect([first.error, later.error, begun.error]).toEqual([null, expect.any(Error), null]);
  });
});

describe('slowing down', () => {
  test('every call waits, one per object and interval; others are not slowed down', async () => {
    const guard = guardKnowing([slow()]);
    const calls = [ask(guard), ask(guard), ask(guard)];
    const other = ask(guard, { agent: 'other' });
    await pass(60_000);
    expect(calls.map(({ at }) => at)).toEqual([5_000, 10_000, 15_000]);
    expect(other.at).toBe(0);
    // The interval is over since long.
    const next = ask(guard);
    await pass(0);
    expect(next).toEqual({ at: 60_000, error: null });
  });

  test('what is slowed down twice keeps both paces', async () => {
    const guard = guardKnowing([slow(), slow({ objekt_art: 'modell', objekt: 'gpt' })]);
    const calls = [
      ask(guard, { agent: 'a', modell: 'gpt' }),
      ask(guard, { agent: AGENT, modell: 'gpt' }),
      ask(guard, { agent: AGENT, modell: 'other' }),
    ];
    await pass(60_000);
    expect(calls.map(({ at }) => at)).toEqual([5_000, 10_000, 5_000]);
  });

  test('nobody waits longer than allowed', async () => {
    const guard = guardKnowing([slow()], { throttleMs: 5_000, maxThrottleMs: 12_000 });
    const calls = [ask(guard), ask(guard), ask(guard), ask(guard)];
    await pass(60_000);
    expect(calls.map(({ at }) => at)).toEqual([5_000, 10_000, 12_000, 12_000]);
  });

  test('a caller that gives up waiting gets the reason, and keeps nobody back', async () => {
    const guard = guardKnowing([slow()]);
    const giveUp = new AbortController();
    const calls = [ask(guard), ask(guard, { agent: AGENT }, giveUp.signal), ask(guard)];
    await pass(7_000);
    giveUp.abort(new Error('no time'));
    await pass(60_000);
    expect(calls).toEqual([
      { at: 5_000, error: null },
      { at: 7_000, error: new Error('no time') },
      { at: 10_000, error: null },
    ]);
    const late = ask(guard, { agent: AGENT }, AbortSignal.abort(new Error('too late')));
    await pass(0);
    expect(late.error).toEqual(new Error('too late'));
  });

  test('who waits goes on at once when it is lifted, and when its time is over', async () => {
    const guard = guardKnowing([slow({ bis: '2026-11-20T10:00:02Z' })]);
    const over = ask(guard);
    await pass(3_000);
    expect(over.at).toBe(2_000);
    guard.learn(new Set([AGENT]), [slow()]);
    const lifted = ask(guard);
    await pass(1_000);
    guard.learn(new Set([AGENT]), []);
    await pass(0);
    expect(lifted).toEqual({ at: 4_000, error: null });
  });

  test('slowed down anew, the first call waits again', async () => {
    const guard = guardKnowing([slow()]);
    const first = ask(guard);
    await pass(5_000);
    guard.learn(new Set([AGENT]), []);
    await pass(60_000);
    guard.learn(new Set([AGENT]), [slow()]);
    const again = ask(guard);
    await pass(60_000);
    expect([first.at, again.at]).toEqual([5_000, 70_000]);
  });

  test('who waits is refused at once when it is stopped', async () => {
    const guard = guardKnowing([slow()]);
    const waiting = ask(guard);
    await pass(1_000);
    const block = eingriff();
    guard.learn(new Set([AGENT]), [block]);
    await pass(0);
    expect(waiting).toMatchObject({ at: 1_000, error: { eingriff: block } });
  });
});

describe('while nobody knows', () => {
  /** A guard whose service never answers. */
  function guardInTheDark(options: Partial<GuardOptions> = {}): Guard {
    const get = () => new Promise<Response>(() => undefined);
    const connection = { baseUrl: 'http://service', key: 'k', get, requestTimeoutMs: 1_000, retryDelayMs: 1 };
    const guard = new Guard({ ...GUARD_DEFAULTS, ...options }, connection, async () => '{}');
    guards.push(guard);
    return guard;
  }

  test('the first call waits a moment for the first answer, then it may be made', async () => {
    const asked = ask(guardInTheDark());
    await pass(1_999);
    expect(asked.at).toBeNull();
    await pass(1);
    expect(asked).toEqual({ at: 2_000, error: null });
  });

  test('closed: no call is made before the first answer, nor after a long silence', async () => {
    const never = ask(guardInTheDark({ failure: 'closed' }));
    await pass(2_000);
    expect(never.error).toMatchObject({ code: 'eingriffe_unbekannt' });
    const guard = guardKnowing([], { failure: 'closed', maxSilenceMs: 30_000 });
    const known = ask(guard);
    await pass(30_000);
    const still = ask(guard);
    await pass(1);
    const silent = ask(guard);
    await pass(0);
    expect([known.error, still.error]).toEqual([null, null]);
    expect(silent.error).toMatchObject({ code: 'eingriffe_unbekannt' });
  });
});
