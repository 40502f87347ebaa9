/** An event that stands is counted once and breaks no batch, though the id table does not have its id any more. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPriceList } from '#domains/preise/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { createKey, registerAccount } from '#test/account.ts';
import { ownerOf } from '#test/jobs.ts';
import { startService, type TestService } from '#test/service.ts';
import { createCountingWorker } from './index.ts';

let service: TestService;
let db: OwnerDatabase;
let mandant: string;
let send: (ereignisse: object[]) => Promise<void>;

beforeAll(async () => {
  service = await startService();
  db = ownerOf(service);
});
afterAll(async () => {
  await db?.close();
  await service?.stop();
});
beforeEach(async () => {
  const account = await registerAccount(service);
  const { secret } = await createKey(service, account);
  mandant = account.mandantId;
  send = async (ereignisse) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: '/v1/ereignisse',
      headers: { authorization: `Bearer ${secret}` },
      payload: { ereignisse },
    });
    expect(answer.statusCode, answer.body).toBe(202);
  };
});

const drain = () =>
  createCountingWorker({
    db,
    log: service.context.log,
    prices: createPriceList(),
    substituteRate: '0.86',
  }).drain();

const event = (zeitpunkt: string) => ({ ereignis_id: randomUUID(), agent: 'a', eingabe_token: 1, zeitpunkt });
const forget = (...events: { ereignis_id: string }[]) =>
  service.sql('DELETE FROM ereignis_kennungen WHERE mandant_id = $1 AND ereignis_id = ANY($2)', [
    mandant,
    events.map(({ ereignis_id }) => ereignis_id),
  ]);

async function counted() {
  const [row] = await service.sql(
    `SELECT (SELECT count(*) FROM ereignisse WHERE mandant_id = $1)::int AS events,
       (SELECT coalesce(sum(aufrufe), 0) FROM verbrauch_tagesstand WHERE mandant_id = $1)::int AS calls,
       (SELECT coalesce(sum(anzahl), 0) FROM eingang_unzaehlbar WHERE mandant_id = $1)::int AS aside,
       (SELECT coalesce(sum(anzahl), 0) FROM eingang WHERE mandant_id = $1)::int AS waiting`,
    [mandant],
  );
  return row;
}
const once = (events: number) => ({ events, calls: events, aside: 0, waiting: 0 });

test('alone, to the microsecond of a month long ago', async () => {
  const one = event('2026-01-31T23:59:59.999999Z');
  await send([one]);
  await drain();
  await forget(one);
  await send([{ ...one, eingabe_token: 7 }]);
  await drain();
  expect(await counted()).toEqual(once(1));
});

test('beside one whose id is known, and new ones, across the turn of a month', async () => {
  const forgotten = [event('2026-01-31T23:59:59Z'), event('2026-02-01T00:00:00Z')];
  const known = event('2026-03-01T00:00:00Z');
  await send([...forgotten, known]);
  await drain();
  await forget(...forgotten);
  await send([event('2026-02-01T00:00:00Z'), ...forgotten, known, event('2026-04-01T00:00:00Z')]);
  await drain();
  expect(await counted()).toEqual(once(5));
});

test('of another Mandant hides nothing', async () => {
  const one = event('2026-02-01T00:00:00Z');
  const sendAsFirst = send;
  await sendAsFirst([one]);
  await drain();
  const other = await registerAccount(service);
  const { secret } = await createKey(service, other);
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: { ereignisse: [one] },
  });
  expect(answer.statusCode).toBe(202);
  await forget(one);
  await sendAsFirst([one]);
  await drain();
  expect(await counted()).toEqual(once(1));
  mandant = other.mandantId;
  expect(await counted()).toEqual(once(1));
});
