/**
 * Hears NOTIFY on a connection of its own, which is made anew when it breaks, or says nothing when it is asked. Notices meanwhile are
 * missed: say so.
 */
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log.ts';

export interface Listener {
  stop(): Promise<void>;
}

export interface ListenerOptions {
  connection: pg.ClientConfig;
  /** An SQL identifier. */
  channel: string;
  onNotice(payload: string): void;
  /** Before it hears: what the connection is to hold as long as it lasts. */
  onConnected?(client: pg.Client): Promise<void>;
  /** From now on it hears; what was said before, it has missed. */
  onListening(): void;
  /** It hears no more, until it says otherwise. */
  onDeaf?(): void;
  log: Log;
  /** Milliseconds after which the connection is asked whether it is there; of one whose other end is gone nobody hears anything else. */
  askEvery?: number;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const ASK_EVERY_MS = 5_000;
/** Within this time it must have answered. */
const ANSWER_MS = 3_000;

/** Asks whether the other end is there until the order to stop. Throws when it does not answer. */
async function keepAsking(client: pg.Client, every: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await client.query({ text: 'SELECT', query_timeout: ANSWER_MS } as pg.QueryConfig);
    await delay(every, undefined, { ref: false, signal }).catch(() => undefined);
  }
}

export function createListener(options: ListenerOptions): Listener {
  const { connection, channel, onConnected, onNotice, onListening, onDeaf, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  let pause = FIRST_PAUSE_MS;

  /** Resolves on the order to stop; throws when the connection breaks. */
  const hear = async (client: pg.Client): Promise<void> => {
    const broken = new Promise<never>((_, reject) => {
      client.on('error', reject);
      client.on('end', () => reject(new Error('connection ended')));
    });
    // Whatever happens before anybody waits for it.
    broken.catch(() => undefined);
    client.on('notification', ({ payload }) => onNotice(payload ?? ''));
    await client.connect();
    await onConnected?.(client);
    await client.query(`LISTEN ${channel}`);
    pause = FIRST_PAUSE_MS;
    onListening();
    await Promise.race([broken, keepAsking(client, options.askEvery ?? ASK_EVERY_MS, signal)]);
  };

  const run = async (): Promise<void> => {
    while (!signal.aborted) {
      const client = new pg.Client({
        ...connection,
        application_name: `zaehlwerk-${channel}`,
        connectionTimeoutMillis: 3_000,
        keepAlive: true,
      });
      try {
        await hear(client);
      } catch (error) {
        log.warn({ err: error, channel }, 'notices not heard');
      } finally {
        onDeaf?.();
        await client.end().catch(() => undefined);
      }
      await delay(pause, undefined, { signal }).catch(() => undefined);
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
    }
  };
  const running = run();

  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
