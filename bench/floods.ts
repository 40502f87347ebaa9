/** Kinds of work that one account floods with: what each of its connections does again and again. */
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchAccount } from './service.ts';

/** Where an account sends its requests, and with what. */
export interface Sender {
  address: string;
  account: BenchAccount;
}

export interface Flood {
  /** Connections at once. */
  connections: number;
  /** One request; resolves with its status, 0 where it was given up. */
  send(sender: Sender): Promise<number>;
}

/** Milliseconds after which a flooder that hangs up does so. */
const HANG_UP = 250;
const STATEMENT = '/v1/cockpit/endkunden/g/abrechnung';

/** Asks, and reads the answer to its end. */
export async function ask(
  { address, account }: Sender,
  path: string,
  init: RequestInit = {},
): Promise<number> {
  const headers = { cookie: account.cookie, ...init.headers };
  const answer = await fetch(address + path, { ...init, headers });
  await answer.arrayBuffer();
  return answer.status;
}

const asking =
  (path: string): Flood['send'] =>
  (sender) =>
    ask(sender, path);

/** Asks and hangs up before there is an answer. */
const leaving =
  (path: string): Flood['send'] =>
  async (sender) => {
    const caller = new AbortController();
    const asked = ask(sender, path, { signal: caller.signal }).catch(() => 0);
    await delay(HANG_UP);
    caller.abort();
    return asked;
  };

/** By name; every dear operation stands here. */
export const FLOODS: Record<string, Flood> = {
  documents: { connections: 24, send: asking(`${STATEMENT}.pdf`) },
  documents_given_up: { connections: 24, send: leaving(`${STATEMENT}.pdf`) },
  statements: { connections: 32, send: asking(STATEMENT) },
  statements_given_up: { connections: 32, send: leaving(STATEMENT) },
  archives: { connections: 8, send: asking('/v1/cockpit/export/abrechnungen.zip') },
  exports: { connections: 8, send: asking('/v1/cockpit/export.zip') },
  reading: {
    connections: 32,
    send: asking('/v1/cockpit/uebersicht?zeitraum=90tage&endkunde=g'),
  },
};
