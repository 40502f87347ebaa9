import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import type { CountingWorker } from '#test/behind-doors.ts';
import { expectPieces } from '#test/pieces.ts';
import { startService, type TestService } from '#test/service.ts';
import { readCalls } from '#test/sums-by-dimension.ts';
import { fill } from './fill.ts';
import { createServiceClient, isAccepted, ServiceRefused } from './service-client.ts';
import { BUSINESS, type Span, traffic, type World } from './traffic.ts';

const BEGINN = Date.parse('2026-11-20T10:00:00Z');
const WORLD: World = { seed: 'test', beginn: BEGINN };
const SPAN: Span = { von: Date.parse('2026-11-17T08:00:00Z'), bis: Date.parse('2026-11-17T12:00:00Z') };
const eventsOf = (span: Span) => traffic(WORLD, BUSINESS, span);
const EXPECTED = [...eventsOf(SPAN)].length;

const silent = { onAccepted: () => undefined, onCounted: () => undefined };

let service: TestService;
let owner: OwnerDatabase;
let worker: CountingWorker;
let address: string;

beforeAll(async () => {
  service = await startService();
  address = await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { connection, context } = service;
  owner = createOwnerDatabase(
    createPool({ connection, max: 4, statementTimeout: 30_000, name: 'zaehlung' }, context.log),
  );
  worker = createCountingWorker({
    db: owner,
    log: context.log,
    prices: createPriceList(),
    substituteRate: '0.86',
  });
  worker.start();
});

afterAll(async () => {
  await worker.stop();
  await owner.close();
  await service.stop();
});

/** A new Mandant with a key, and what has been counted for it. */
async function newSender() {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  const totals = async () => {
    const [row] = await service.sql<{ ereignisse: number; verbrauch: number }>(
      `SELECT (SELECT count(*) FROM ereignisse WHERE mandant_id = $1)::int AS ereignisse,
              (SELECT sum(aufrufe) FROM verbrauch_tagesstand WHERE mandant_id = $1)::int AS verbrauch`,
      [account.mandantId],
    );
    return row;
  };
  return { secret, totals, client: createServiceClient(address, secret, new AbortController().signal) };
}

describe('fill', () => {
  it('is done when every event is counted, and repeated it counts none twice', async () => {
    const { client, totals } = await newSender();
    let accepted = 0;
    let until = 0;
    const listener = {
      onAccepted: (events: number, instant: number) => {
        accepted = events;
        until = instant;
      },
      onCounted: () => undefined,
    };
    await fill(client, eventsOf(SPAN), listener);
    expect(EXPECTED).toBeGreaterThan(3_000);
    expect(accepted).toBe(EXPECTED);
    expect(until).toBe(Date.parse([...eventsOf(SPAN)].at(-1)?.zeitpunkt ?? ''));
    expect(await totals()).toEqual({ ereignisse: EXPECTED, verbrauch: EXPECTED });
    await fill(client, eventsOf(SPAN), silent);
    expect(await totals()).toEqual({ ereignisse: EXPECTED, verbrauch: EXPECTED });
  });

  it('is in pieces, also made anew', async () => {
    const { client } = await newSender();
    await fill(client, eventsOf(SPAN), silent);
    await expectPieces(service, await readCalls(service.sql));
  });

  it('goes on where it was interrupted', async () => {
    const { secret, client, totals } = await newSender();
    const interruption = new AbortController();
    let until = SPAN.von;
    const interrupted = fill(createServiceClient(address, secret, interruption.signal), eventsOf(SPAN), {
      ...silent,
      onAccepted: (_events, instant) => {
        until = instant;
        interruption.abort();
      },
    });
    await expect(interrupted).rejects.toThrow('abort');
    expect(until).toBeGreaterThan(SPAN.von);
    expect(until).toBeLessThan(SPAN.bis);
    await fill(client, eventsOf({ ...SPAN, von: until }), silent);
    expect(await totals()).toEqual({ ereignisse: EXPECTED, verbrauch: EXPECTED });
  });

  it('has nothing to wait for when nothing is missing', async () => {
    const { client } = await newSender();
    await fill(client, [], silent);
    expect(await client.counted()).toBe(0);
  });

  it('ends when the service does not know the key', async () => {
    const stranger = createServiceClient(address, 'zw_live_unbekannt', new AbortController().signal);
    await expect(fill(stranger, eventsOf(SPAN), silent)).rejects.toThrow(ServiceRefused);
    expect(await isAccepted(stranger)).toBe(false);
    expect(await isAccepted((await newSender()).client)).toBe(true);
  });
});

describe('createServiceClient', () => {
  it('tries again while the service is busy', async () => {
    const answers = [429, 503, 202];
    const seen: string[] = [];
    const busy = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        seen.push(body);
        response.writeHead(answers[seen.length - 1] ?? 500, { 'retry-after': '0' }).end('{}');
      });
    });
    await new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve));
    const { port } = busy.address() as AddressInfo;
    const client = createServiceClient(`http://127.0.0.1:${port}`, 'egal', new AbortController().signal);
    const [event] = [...eventsOf(SPAN)];
    if (event) await client.send([event]);
    busy.close();
    busy.closeAllConnections();
    expect(seen).toHaveLength(3);
    expect(new Set(seen)).toEqual(new Set([JSON.stringify({ ereignisse: [event] })]));
  });
});
