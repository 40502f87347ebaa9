import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Account, addUser, createKey, registerAccount } from '#test/account.ts';
import { startService, type TestService } from '#test/service.ts';
import { countAll } from '#test/tenants.ts';
import { grenzenMeldenJob } from './grenzen-melden.ts';

let service: TestService;
let operator: Account;
let customer: Account;
beforeAll(async () => {
  service = await startService();
  operator = await registerAccount(service);
});
afterAll(() => service?.stop());
beforeEach(async () => {
  service.clock.set('2026-10-15T06:42:00Z');
  await service.sql('DELETE FROM postausgang');
  await service.sql('DELETE FROM betreiber');
  await service.sql(`UPDATE mandanten SET paket = 'frei', paket_quelle = 'frei', grenze_gemeldet = NULL`);
  customer = await registerAccount(service);
  await service.sql('UPDATE mandanten SET firma = $2 WHERE mandant_id = $1', [
    customer.mandantId,
    'Übermut & Söhne',
  ]);
});

const nameOperator = () =>
  service.sql('INSERT INTO betreiber (mandant_id, benutzer_id) VALUES ($1, $2)', [
    operator.mandantId,
    operator.benutzerId,
  ]);
const give = ({ mandantId }: Account, paket: string) =>
  service.sql(`UPDATE mandanten SET paket = $2, paket_quelle = 'betreiber' WHERE mandant_id = $1`, [
    mandantId,
    paket,
  ]);
/** A session does not last as long as these tests go. */
const keys = new Map<string, { secret: string }>();

/** A call of a local day, as if there had been this many of it: a million is not counted in a test. */
async function used(account: Account, tag: string, aufrufe: number): Promise<void> {
  const { secret } = keys.get(account.mandantId) ?? (await createKey(service, account));
  keys.set(account.mandantId, { secret });
  const zeitpunkt = `${tag}T05:00:00Z`;
  const answer = await service.app.inject({
    method: 'POST',
    url: '/v1/ereignisse',
    headers: { authorization: `Bearer ${secret}` },
    payload: {
      ereignisse: [{ agent: 'a', modell: 'gpt-4o', anbieter: 'openai', eingabe_token: 1, zeitpunkt }],
    },
  });
  expect(answer.statusCode, answer.body).toBe(202);
  await countAll(service);
  await service.sql('UPDATE verbrauch_tagesstand SET aufrufe = $3 WHERE mandant_id = $1 AND tag = $2', [
    account.mandantId,
    tag,
    aufrufe,
  ]);
}
const run = () => grenzenMeldenJob({ ...service.context, owner: service.operators }).run();
const letters = async () => (await service.mails()).map(({ an, betreff, text }) => ({ an, betreff, text }));

test('operators get a mail once a month: which Mandant is beyond, and by how much', async () => {
  await nameOperator();
  await give(customer, 'starter');
  await used(customer, '2026-10-14', 1_000_001);
  await used(customer, '2026-09-30', 5_000_000);
  expect(await run()).toEqual({ gemeldet: 1 });
  expect(await letters()).toEqual([
    {
      an: operator.email,
      betreff: 'Ein Mandant ist über seinem Tarif',
      text: expect.stringContaining(
        '„Übermut & Söhne“: Tarif Starter, 1.000.001 von 1.000.000 Ereignissen des Monats',
      ),
    },
  ]);
  service.clock.set('2026-10-31T22:00:00Z');
  expect(await run()).toEqual({ gemeldet: 0 });
  // In Berlin it is November already.
  service.clock.set('2026-10-31T23:30:00Z');
  await used(customer, '2026-11-01', 1_000_001);
  expect(await run()).toEqual({ gemeldet: 1 });
});

test('users count, too, and several Mandanten are in one mail', async () => {
  await nameOperator();
  await give(customer, 'frei');
  for (let n = 0; n < 3; n += 1) await addUser(service, customer, 'betrachter');
  const second = await registerAccount(service);
  await give(second, 'frei');
  await used(second, '2026-10-02', 100_001);
  expect(await run()).toEqual({ gemeldet: 2 });
  const [letter, ...others] = await letters();
  expect(others).toEqual([]);
  expect(letter?.betreff).toBe('2 Mandanten sind über ihrem Tarif');
  expect(letter?.text).toContain('„Übermut & Söhne“: Tarif Frei, 4 von 3 Benutzern');
  expect(letter?.text).toContain('100.001 von 100.000 Ereignissen des Monats');
});

test('nobody gets a mail about limits that do not bind, of what is within them, or of one that has cancelled', async () => {
  await nameOperator();
  await used(customer, '2026-10-14', 200_000);
  expect(await run()).toEqual({ gemeldet: 0 });
  await give(customer, 'starter');
  expect(await run()).toEqual({ gemeldet: 0 });
  await give(customer, 'frei');
  await service.sql(
    `UPDATE mandanten SET status = 'gekündigt', gekuendigt_am = now() WHERE mandant_id = $1`,
    [customer.mandantId],
  );
  expect(await run()).toEqual({ gemeldet: 0 });
  expect(await letters()).toEqual([]);
});

test('without an operator nothing is noted: the first one gets the mail', async () => {
  await give(customer, 'frei');
  await used(customer, '2026-10-14', 200_000);
  expect(await run()).toEqual({ gemeldet: 0 });
  await nameOperator();
  expect(await run()).toEqual({ gemeldet: 1 });
});
