/**
 * What it costs to ask whether telemetry has told of a call, where it has told of none: CPU of a call that names its request, as Anthropic's do by
 * the proxy, beside the same call that names it under a word that nothing asks for. Runs of twenty calls, and one of very many.
 */
import { randomUUID } from 'node:crypto';
import { createAgentsAtWork } from './at-work.ts';
import { BATCH, type Batch } from './events.ts';
import { measureInTurns, type SendingAccount, sendUntilCounted } from './in-turns.ts';
import { makeAccount, startBenchService } from './service.ts';

const WARM_UP = 20_000;
const AT_ONCE = 5_000;

/** Calls as the proxy sends them: no source is named, and the request is, under this word. */
function createProxyCalls(word: string, inOneRun: boolean): () => Batch {
  const next = createAgentsAtWork();
  const run = randomUUID();
  return () => {
    const { ereignisse } = JSON.parse(next().bytes.toString()) as { ereignisse: Record<string, unknown>[] };
    const sent = ereignisse.map(({ quelle: _, ...call }) => ({
      ...call,
      ...(inOneRun ? { lauf_id: run } : {}),
      zusatz: { [word]: `req_${randomUUID().replaceAll('-', '').slice(0, 24)}` },
    }));
    return { bytes: Buffer.from(JSON.stringify({ ereignisse: sent })), events: BATCH };
  };
}

async function measureShape(pairs: number, inOneRun: boolean) {
  const service = await startBenchService();
  try {
    const client = await service.connect();
    const other = await makeAccount(service.address, 'ohne-namen@example.org');
    const toSendingAccount = (account: typeof other, word: string): SendingAccount => ({
      ...account,
      next: createProxyCalls(word, inOneRun),
      sent: 0,
    });
    const accounts = {
      with: toSendingAccount(service, 'anfrage_id'),
      without: toSendingAccount(other, 'anfrage_nr'),
    };
    await client.query('UPDATE regeln SET aktiv = false');
    for (const account of Object.values(accounts))
      for (let sent = 0; sent < WARM_UP; sent += AT_ONCE)
        await sendUntilCounted(service, client, account, AT_ONCE, Number.POSITIVE_INFINITY);
    const measured = await measureInTurns(service, client, accounts, pairs);
    await client.end();
    return measured;
  } finally {
    await service.stop();
  }
}

export const measureRetold = async (pairs: number) => ({
  runs_of_twenty: await measureShape(pairs, false),
  one_run: await measureShape(pairs, true),
});
