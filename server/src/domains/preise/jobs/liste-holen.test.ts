import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { createLog } from '#platform/log.ts';
import { createOutbound, networksOf } from '#platform/outbound.ts';
import { type Account, addUser, registerAccount } from '#test/account.ts';
import { editionOf, editionWith, type ListServer, startListServer } from '#test/price-lists.ts';
import { startService, type TestService } from '#test/service.ts';
import { inForceOf } from '../list/in-force.ts';
import { LOCKED, PACKAGED } from '../list/price-data.ts';
import { MAX_LIST_BYTES, pinEdition, readEditions } from '../owner/editions.ts';
import { listeHolenJob } from './liste-holen.ts';

let service: TestService;
let owner: OwnerDatabase;
let server: ListServer;
let account: Account;
let lines: string[];
const log = createLog('info', { write: (line) => void lines.push(line) });

beforeAll(async () => {
  service = await startService();
  const options = { connection: service.connection, max: 3, statementTimeout: 20_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, createLog('fatal')));
  account = await registerAccount(service);
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});
beforeEach(async () => {
  lines = [];
  server = await startListServer();
  service.clock.set('2026-10-01T05:12:00Z');
  await service.sql('TRUNCATE preislisten');
  await service.sql('DELETE FROM postausgang');
  await service.sql('DELETE FROM betreiber');
});
afterEach(() => server.stop());

const LOCAL = ['127.0.0.1/32'];
const run = (priceListUrl: string | null = server.url, networks = LOCAL) =>
  listeHolenJob({
    ...{ owner, log, clock: service.clock, secrets: service.context.secrets },
    outbound: createOutbound(networksOf(networks), { timeout: 60_000 }),
    config: { ...service.context.config, priceListUrl },
  }).run();
const editions = () => readEditions(owner);
const inForce = async () => inForceOf(await editions())?.name;
const said = (text: string) => lines.filter((line) => line.includes(text));
async function name(operator: Account): Promise<void> {
  await service.sql('INSERT INTO betreiber (mandant_id, benutzer_id) VALUES ($1, $2)', [
    operator.mandantId,
    operator.benutzerId,
  ]);
}

describe('the job', () => {
  test('notes the installed list, fetches a newer one and has it hold', async () => {
    server.serve(await editionWith('nagelneu-1', 3));
    expect(await run()).toEqual({ geholt: true });
    expect(await run()).toEqual({ geholt: false });
    expect((await editions()).map(({ name: each, herkunft }) => [each, herkunft])).toEqual([
      [PACKAGED.name, 'paket'],
      ['genai-prices 2026-10-01.2', 'netz'],
    ]);
    expect(await inForce()).toBe('genai-prices 2026-10-01.2');
    service.clock.set('2026-10-02T05:12:00Z');
    server.serve(await editionWith('nagelneu-1', 4));
    await run();
    expect(await inForce()).toBe('genai-prices 2026-10-02.3');
  });

  test('leaves a pinned one in force', async () => {
    server.serve(await editionWith('nagelneu-1', 3));
    await run();
    await pinEdition(owner, 1);
    server.serve(await editionWith('nagelneu-1', 4));
    expect(await run()).toEqual({ geholt: true });
    expect(await inForce()).toBe(PACKAGED.name);
  });

  test('goes nowhere when it is switched off', async () => {
    expect(await run(null)).toEqual({ geholt: false });
    expect(await inForce()).toBe(PACKAGED.name);
    expect(said('could not be fetched')).toEqual([]);
  });

  test.each<[string, number, Record<string, string>, string]>([
    ['an answer that is none', 503, {}, 'antwortet mit 503'],
    ['a redirect into a private network', 302, { location: 'http://10.0.0.1/' }, 'antwortet mit 302'],
    ['a redirect anywhere', 308, { location: 'https://example.com/' }, 'antwortet mit 308'],
  ])('goes on with what it has on %s', async (_what, status, headers, sentence) => {
    server.serve(await editionWith('nagelneu-1', 3), status, headers);
    expect(await run()).toEqual({ geholt: false });
    expect(await inForce()).toBe(PACKAGED.name);
    expect(said(sentence)).toHaveLength(1);
  });

  test('goes on where nobody answers, where it may not go, and where there is no end', async () => {
    expect(await run('http://127.0.0.1:1/data.json')).toEqual({ geholt: false });
    expect(said('ist nicht zu erreichen')).toHaveLength(1);
    server.serve(await editionWith('nagelneu-1', 3));
    expect(await run(server.url, [])).toEqual({ geholt: false });
    expect(said('nicht erreichen darf')).toHaveLength(1);
    server.serve(Buffer.alloc(MAX_LIST_BYTES + 1, ' '));
    expect(await run()).toEqual({ geholt: false });
    expect(said('mehr als 16 MiB')).toHaveLength(1);
    expect(await editions()).toHaveLength(1);
  });

  test.each([
    ['no JSON', '<html></html>', 'Das ist kein JSON.'],
    ['another form', '{"neue":"form"}', 'bekannten Form'],
  ])('fails, and is repeated, on %s', async (_what, body, sentence) => {
    server.serve(body);
    await expect(run()).rejects.toThrow(sentence);
    expect(await inForce()).toBe(PACKAGED.name);
  });

  test('refuses one that can hardly be right, says so each time, and writes to the operators once', async () => {
    await name(account);
    server.serve(
      await editionOf((providers) => {
        providers.splice(0, 20);
      }),
    );
    await run();
    await run();
    expect(await inForce()).toBe(PACKAGED.name);
    expect(said('price list refused')).toHaveLength(2);
    const mails = await service.mails();
    expect(mails.map(({ an, betreff }) => [an, betreff])).toEqual([
      [account.email, 'Eine neue Preisliste gilt noch nicht'],
    ]);
    expect(mails[0]?.text).toMatch(/es fehlen 20 von \d+ Anbietern; es fehlen \d+ % der Modelle/);
    expect(mails[0]?.text).toContain('„preisliste-anheften 2“');
  });
});

describe('a list that has become old', () => {
  const daysOn = (days: number) =>
    service.clock.set(
      new Date(Date.parse(`${LOCKED.published}T12:00:00Z`) + days * 86_400_000).toISOString(),
    );

  test('goes by mail to all operators who have proven their address, once, and to the log each time', async () => {
    const [other, unproven] = [
      await addUser(service, account, 'betrachter'),
      await addUser(service, account, 'betrachter'),
    ];
    for (const each of [account, other, unproven]) await name(each);
    await service.sql('UPDATE benutzer SET email_bestaetigt_am = NULL WHERE benutzer_id = $1', [
      unproven.benutzerId,
    ]);
    daysOn(29);
    await run(null);
    expect([await service.mails(), said('is old')]).toEqual([[], []]);
    daysOn(31);
    await run(null);
    await run(null);
    const mails = await service.mails();
    expect(mails.map(({ an }) => an)).toEqual([account.email, other.email].sort());
    expect(mails[0]?.betreff).toBe('Die Preisliste ist 31 Tage alt');
    expect(mails[0]?.text).toContain(`(${PACKAGED.name}, Stand ${LOCKED.published})`);
    expect(said('the price list in force is old')).toHaveLength(2);
  });

  test('goes out again when it becomes old again, and not while its source still has it', async () => {
    await name(account);
    server.serve(await editionWith('nagelneu-1', 3));
    daysOn(1);
    await run();
    daysOn(33);
    await run(null);
    expect(await service.mails()).toHaveLength(1);
    await run();
    daysOn(60);
    await run(null);
    expect(await service.mails()).toHaveLength(1);
    daysOn(64);
    await run(null);
    expect(await service.mails()).toHaveLength(2);
  });

  test('goes out even when what was fetched is none', async () => {
    await name(account);
    daysOn(31);
    server.serve('<html></html>');
    await expect(run()).rejects.toThrow('JSON');
    expect(await service.mails()).toHaveLength(1);
  });

  test('shows in the metrics', async () => {
    const age = async () => {
      const { body } = await service.app.inject({ url: '/metrics' });
      return Number(/^zaehlwerk_price_list_age_seconds (\S+)$/m.exec(body)?.[1]);
    };
    daysOn(10);
    await run(null);
    expect(await age()).toBe(10.5 * 86_400);
    server.serve(await editionWith('nagelneu-1', 3));
    await run();
    expect(await age()).toBe(0);
  });
});
