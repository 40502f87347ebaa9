/**
 * Which orders were handed to somebody whose calls they are about. It is written down once for each order: the proof that who made
 * those calls could know. A key that sends no such calls proves nothing by asking.
 */
import type { MandantId } from '#kernel/mandant-id.ts';
import type { ServiceContext } from '#platform/context.ts';
import { isOrder } from './rules.ts';
import { type InForceRow, markHandedOut } from './store.ts';

/** Whose key it is, and which one. */
export interface Recipient {
  mandant: MandantId;
  schluesselId: string;
}

/** Of a key that sends much not every batch is looked into for its agents. */
const LOOK_AGAIN_MS = 1_000;
const MAX_KEYS = 10_000;
const MAX_AGENTS = 1_000;

export interface HandedOut {
  /** Whether the next batch of the key is to be looked into. */
  wantsAgents(key: string): boolean;
  /** The key has sent calls of these agents. */
  noteSender(key: string, agents: readonly string[]): void;
  /** These were handed to the key. Never throws: who must know of an order waits for no proof. */
  note(to: Recipient, rows: readonly InForceRow[]): Promise<void>;
}

export function createHandedOut({ db, clock, log }: Pick<ServiceContext, 'db' | 'clock' | 'log'>): HandedOut {
  const senders = new Map<string, { agents: Set<string>; lookedAt: number }>();

  const isAbout = (key: string, { agent }: InForceRow): boolean => {
    const sender = senders.get(key);
    return sender !== undefined && (agent === null || sender.agents.has(agent));
  };

  return {
    wantsAgents: (key) => performance.now() - (senders.get(key)?.lookedAt ?? -Infinity) > LOOK_AGAIN_MS,
    noteSender(key, agents) {
      const known = senders.get(key)?.agents ?? new Set();
      if (known.size > MAX_AGENTS) known.clear();
      for (const agent of agents) known.add(agent);
      senders.delete(key);
      senders.set(key, { agents: known, lookedAt: performance.now() });
      const oldest = senders.keys().next().value;
      if (senders.size > MAX_KEYS && oldest !== undefined) senders.delete(oldest);
    },
    async note({ mandant, schluesselId }, rows) {
      const news = rows.filter(
        (row) => isOrder(row) && row.abgerufen_am === null && isAbout(schluesselId, row),
      );
      if (news.length === 0) return;
      const am = clock.now().toISOString();
      // At once, so that others who are handed the same meanwhile write nothing.
      for (const row of news) row.abgerufen_am = am;
      const ids = news.map(({ eingriff_id }) => eingriff_id);
      try {
        await db.forMandant(mandant, (tx) => markHandedOut(tx, ids, am, schluesselId));
      } catch (error) {
        for (const row of news) row.abgerufen_am = null;
        log.warn({ err: error }, 'that an order was handed out is not written down');
      }
    },
  };
}
