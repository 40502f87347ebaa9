/** A program that sends batches without pause and does not mind when the service goes away. */
import type { Ereignis } from '#client/index.ts';
import type { Account } from './outside-account.ts';
import type { Random } from './random.ts';
import { until } from './until.ts';

export interface Writer {
  /** Batches sent at least once, whatever came back. */
  attempted(): Ereignis[][];
  /** Batches that were answered 202. */
  acknowledged(): Ereignis[][];
  /** Answers that neither took a batch nor asked for patience. */
  refused(): string[];
  /** Ends; what was left for later is delivered before. */
  finish(): Promise<void>;
}

type Fate = 'at once' | 'later' | 'never';
const MAX_EVENTS = 40;
const PATIENCE = new Set([409, 429, 503]);

/**
 * Starts at once. Half of the batches carry an idempotency key, some repeat events of batches before. What is not
 * acknowledged is sent again at once, at the end, or never.
 */
export function createWriter(account: Account, random: Random, event: (random: Random) => Ereignis): Writer {
  const attempted: Ereignis[][] = [];
  const acknowledged: Ereignis[][] = [];
  const refused: string[] = [];
  const postponed: (() => Promise<boolean>)[] = [];
  let ending = false;

  const makeBatch = (): Ereignis[] => {
    const fresh = Array.from({ length: 1 + random.below(MAX_EVENTS) }, () => event(random));
    const known = attempted.length > 0 && random.below(4) === 0 ? random.pick(attempted).slice(0, 3) : [];
    return [...fresh, ...known];
  };

  /** True when the batch was taken. */
  const attempt = async (batch: Ereignis[], headers: Record<string, string>): Promise<boolean> => {
    const answer = await account.send(batch, headers).catch(() => null);
    if (answer?.status === 202) acknowledged.push(batch);
    else if (answer && !PATIENCE.has(answer.status)) refused.push(`${answer.status} ${answer.text}`);
    return answer?.status === 202;
  };

  const deliver = async (): Promise<void> => {
    const batch = makeBatch();
    const headers: Record<string, string> = random.below(2) === 0 ? { 'idempotency-key': random.uuid() } : {};
    const fate = random.pick<Fate>(['at once', 'later', 'never']);
    attempted.push(batch);
    const again = () => attempt(batch, headers);
    if (await again()) return;
    if (fate === 'later') postponed.push(again);
    if (fate === 'at once') await until('a batch to be taken', again);
  };

  const run = async () => {
    while (!ending) await deliver();
    for (const again of postponed) await until('a postponed batch to be taken', again);
  };
  const running = run();
  // Reported by `finish`; until then nobody looks.
  running.catch(() => undefined);
  return {
    attempted: () => attempted,
    acknowledged: () => acknowledged,
    refused: () => refused,
    finish() {
      ending = true;
      return running;
    },
  };
}
