import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { type Account, createKey, registerAccount } from '#test/account.ts';
import { crossedSumsOf, expectPieces, readCrossedSums } from '#test/pieces.ts';
import { startService, type TestService } from '#test/service.ts';
import { type CountedCall, readCalls } from '#test/sums-by-dimension.ts';
import { setRepeats } from './repeats.ts';
import { createCountingWorker } from './worker.ts';

const NOW = new Date('2026-11-20T10:00:00Z');
const MINUTE = 60_000;
const RUN = '0f3f4f1e-0000-4000-8000-000000000001';

let service: TestService;
let owner: OwnerDatabase;
let account: Account;
let secret: string;

beforeAll(async () => {
  service = await startService();
  service.clock.set(NOW.toISOString());
  const options = { connection: service.connection, max: 4, statementTimeout: 60_000, name: 'test' };
  owner = createOwnerDatabase(createPool(options, service.context.log));
  account = await registerAccount(service);
  ({ secret } = await createKey(service, account));
});
afterAll(async () => {
  await owner?.close();
  await service?.stop();
});

async function name(merkmale: string[]): Promise<void> {
  const payload = {
    endkunde_namen: [],
    funktion_namen: [],
    projekt_namen: [],
    merkmale,
    abo_weiterbelasten: false,
  };
  const headers = { cookie: account.cookie };
  const answer = await service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/mandant/zuordnung',
    headers,
    payload,
  });
  expect(answer.statusCode, answer.body).toBe(200);
}

async function send(zusatz: object | null): Promise<string> {
  const ereignis_id = randomUUID();
  const ereignis = {
    ...{ ereignis_id, zusatz, agent: 'a', anbieter: 'openai', modell: 'gpt-4o-mini', lauf_id: RUN },
    ...{ eingabe_token: 1_000, ausgabe_token: 10, zeitpunkt: service.clock.now().toISOString() },
  };
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse: [ereignis] },
  });
  expect(answer.statusCode, answer.body).toBe(202);
  return ereignis_id;
}

const count = () => {
  const { log } = service.context;
  return createCountingWorker({
    db: owner,
    log,
    prices: createPriceList(),
    substituteRate: '0.86',
  }).drain();
};

test('free data that a Mandant names are dimensions from then on, and what changes later finds the values it was counted with', async () => {
  const own = new Map<string, string[]>();
  const sendWith = async (zusatz: object | null, ...values: string[]) =>
    own.set(await send(zusatz), [...values, '', '', '', '', ''].slice(0, 5));
  const ownOf = (call: CountedCall) => own.get(call.row.ereignis_id as string) ?? [];
  const expectAsCounted = async () =>
    expect(await readCrossedSums(service.sql)).toEqual(crossedSumsOf(await readCalls(service.sql), ownOf));

  await sendWith({ team: 'vorher' });
  await name(['team', '', 'stufe']);
  await sendWith({ team: 'zu früh' });
  service.clock.set(new Date(NOW.getTime() + MINUTE).toISOString());
  await sendWith({ team: 'suche', stufe: 3, x: 'y' }, 'suche', '', '3');
  await sendWith({ team: 'x'.repeat(120), stufe: true }, 'x'.repeat(100), '', 'true');
  await sendWith({ team: ['suche'], stufe: null });
  await sendWith(null);
  // What waits is counted by the names of when it was received, whatever they are by now.
  await name(['anderes']);
  service.clock.set(new Date(NOW.getTime() + 3 * MINUTE).toISOString());
  await sendWith({ team: 'suche', anderes: 'neu' }, 'neu');
  await count();
  await expectAsCounted();

  const { mandantId } = account;
  await owner.transaction((client) => setRepeats(client, mandantId, RUN, [...own.keys()].slice(1)));
  await expectAsCounted();
  await owner.transaction((client) => setRepeats(client, mandantId, RUN, []));
  await expectPieces(service, await readCalls(service.sql), ownOf);
});

test('a key that is named twice is refused', async () => {
  const payload = {
    merkmale: ['team', '', 'team'],
    endkunde_namen: [],
    funktion_namen: [],
    projekt_namen: [],
  };
  const answer = await service.app.inject({
    method: 'PUT',
    url: '/v1/cockpit/mandant/zuordnung',
    headers: { cookie: account.cookie },
    payload: { ...payload, abo_weiterbelasten: false },
  });
  expect(answer.statusCode).toBe(422);
  expect(answer.json().detail[0].loc).toEqual(['body', 'merkmale', 2]);
});
