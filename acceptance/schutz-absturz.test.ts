/**
 * Loops that are found while processes are killed at random: of each one finding, one intervention, one alarm, and its repeats burnt
 * once. Nothing outward tells of what was not counted.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { crashRounds } from '#test/fuzz.ts';
import { untilJobsAreDone } from '#test/lapsed-claims.ts';
import { type Account, createAccount, request } from '#test/outside-account.ts';
import { signal } from '#test/processes.ts';
import { createRandom, type Random } from '#test/random.ts';
import { type Receiver, startReceiver } from '#test/receiver.ts';
import { createServiceProcess, type ServiceProcess } from '#test/service-process.ts';
import { until } from '#test/until.ts';

const ROUNDS = crashRounds(6);
const CALLS = 6;
const SEED = 20_261_122;

let service: ServiceProcess;
let receiver: Receiver;
let account: Account;

beforeAll(async () => {
  receiver = await startReceiver();
  service = createServiceProcess({ ERLAUBTE_NETZE: '127.0.0.1' });
  await service.start();
  account = await createAccount(service);
  const change = (method: string, path: string, body: object) =>
    request(`${service.address()}${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie: account.cookie },
      body: JSON.stringify(body),
    });
  const rule = await change('POST', '/v1/cockpit/regeln', {
    typ: 'schleife_exakt',
    stufe: 'anhalten',
    schattenbetrieb: false,
    parameter: { ohne_verlauf: 5 },
  });
  expect(rule.status).toBe(201);
  const channel = await change('PUT', '/v1/cockpit/mandant/alarme', { webhook_url: receiver.url('/alarm') });
  expect(channel.status).toBe(200);
});
afterAll(async () => {
  await service?.dispose();
  await receiver?.stop();
});

/** Each loop is of an agent of its own: none rests for another. */
function loop(round: number) {
  const lauf = randomUUID();
  const begin = Date.now() - 60_000;
  const calls = Array.from({ length: CALLS }, (_, index) => ({
    ereignis_id: randomUUID(),
    lauf_id: lauf,
    schritt_nr: index + 1,
    zeitpunkt: new Date(begin + index * 1_000).toISOString(),
    agent: `agent-${round}`,
    anbieter: 'openai',
    modell: 'gpt-4o-mini',
    eingabe_token: 1_000_000,
    prompt_fingerabdruck: '00000000000000ff',
  }));
  return { lauf, calls };
}

const taken = async (calls: object[]): Promise<boolean> =>
  (await account.send(calls as never).catch(() => null))?.status === 202;

async function strike(round: number, random: Random): Promise<void> {
  const pid = service.postmaster();
  if (round % 3 !== 2 && pid !== null) signal(pid, 'SIGKILL');
  if (round % 3 === 1) return;
  await service.stop('SIGKILL');
  await new Promise((resolve) => setTimeout(resolve, random.below(50)));
  await service.start();
}

/** Sends the loop in two batches, each until it is taken, and strikes somewhere from the first on. */
async function playRound(round: number, random: Random): Promise<string> {
  const { lauf, calls } = loop(round);
  await until(`the loop of round ${round} to begin`, () => taken(calls.slice(0, 3)));
  const sending = until(`the loop of round ${round} to be taken`, () => taken(calls.slice(3)));
  await new Promise((resolve) => setTimeout(resolve, random.below(400)));
  await strike(round, random);
  await sending;
  return lauf;
}

const rows = (text: string) => service.sql<{ lauf: string; anzahl: number }>(text, [account.mandantId]);

test('every loop is found, stopped and told once, and burns what it burnt', async () => {
  const random = createRandom(SEED);
  const loops: string[] = [];
  for (let round = 1; round <= ROUNDS; round += 1) loops.push(await playRound(round, random));
  await account.untilNothingWaits();
  const once = loops.toSorted().map((lauf) => ({ lauf, anzahl: 1 }));
  const findings = `SELECT objekt AS lauf, count(*)::int AS anzahl FROM befunde
    WHERE mandant_id = $1 AND typ = 'schleife_exakt' AND status = 'offen' AND NOT schatten GROUP BY 1 ORDER BY 1`;
  await until('every loop to be found', async () => (await rows(findings)).length >= ROUNDS);
  expect(await rows(findings)).toEqual(once);
  const orders = `SELECT objekt AS lauf, count(*)::int AS anzahl FROM eingriffe
    WHERE mandant_id = $1 AND NOT schatten GROUP BY 1 ORDER BY 1`;
  expect(await rows(orders)).toEqual(once);
  await untilJobsAreDone(service, account.mandantId);
  const burnt = `SELECT lauf_id AS lauf, round(10000 * verbranntes_geld_eur / kosten_eur)::int AS anzahl FROM laeufe
    WHERE mandant_id = $1 ORDER BY lauf_id::text`;
  expect(await rows(burnt)).toEqual(once.map(({ lauf }) => ({ lauf, anzahl: Math.round((10_000 * 3) / 6) })));
  const alarms = await service.sql<{ ursache: string }>(
    `SELECT ursache FROM alarme WHERE mandant_id = $1 AND art = 'alarm' AND stufe = 'anhalten'`,
    [account.mandantId],
  );
  expect(alarms).toHaveLength(ROUNDS);
  // Sent again after a crash an alarm has the id it had.
  const told = Map.groupBy(
    receiver.received.filter(({ body }) => body.includes('Schleife')),
    ({ headers }) => String(headers['webhook-id']),
  );
  expect(told.size).toBe(ROUNDS);
  const texts = new Set([...told.values()].map(([first]) => JSON.parse(first?.body ?? '{}').titel));
  expect(texts.size).toBe(ROUNDS);
});
