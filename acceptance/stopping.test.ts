/** Told to stop, the service resets no connection on which its senders keep sending. */
import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, createAccount } from '#test/outside-account.ts';
import { createRandom } from '#test/random.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';

const SENDERS = 8;
const ROUNDS = 3;

let service: ServiceProcess;
let account: Account;
beforeAll(async () => {
  service = createServiceProcess();
  await service.start();
  account = await createAccount(service);
});
afterAll(() => service?.dispose());

interface Sent {
  status: number;
  /** Whether the answer ends the connection. */
  last: boolean;
}

/** Sends one batch on a connection that is kept; rejects with the fault of the connection. */
function send(agent: Agent, body: string): Promise<Sent> {
  return new Promise((resolve, reject) => {
    const sending = request(`${service.address()}/v1/ereignisse`, {
      agent,
      method: 'POST',
      headers: { authorization: `Bearer ${account.key}`, 'content-type': 'application/json' },
    });
    sending.on('error', reject);
    sending.on('response', (answer) => {
      answer.resume().on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, last: answer.headers.connection === 'close' }),
      );
    });
    sending.end(body);
  });
}

const faultOf = (error: unknown) => (error as { code?: string }).code ?? String(error);

interface Sender {
  answers: Sent[];
  /** Why it stopped. */
  end: Promise<string>;
}

/** Sends without end, with short pauses, on one connection; stops at its first fault. */
function startSender(seed: number): Sender {
  const random = createRandom(seed);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const answers: Sent[] = [];
  const run = async () => {
    for (;;) {
      const size = 1 + random.below(200);
      const events = Array.from({ length: size }, () => ({ ereignis_id: random.uuid(), agent: 'a' }));
      try {
        answers.push(await send(agent, JSON.stringify({ ereignisse: events })));
      } catch (error) {
        agent.destroy();
        return faultOf(error);
      }
      await delay(random.below(30));
    }
  };
  return { answers, end: run() };
}

test('no sender on a kept connection meets a reset', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const senders = Array.from({ length: SENDERS }, (_, index) => startSender(1 + round * SENDERS + index));
    await until('all to send', () => senders.every(({ answers }) => answers.length > 5));
    expect(await service.stop('SIGTERM')).toBe(0);
    // Nobody listens any more: that is all they may be told.
    expect(await Promise.all(senders.map(({ end }) => end))).toEqual(senders.map(() => 'ECONNREFUSED'));
    for (const { answers } of senders) {
      expect(new Set(answers.map(({ status }) => status)).difference(new Set([202, 503]))).toEqual(new Set());
      expect(answers.at(-1)?.last).toBe(true);
    }
    await service.start();
  }
});
