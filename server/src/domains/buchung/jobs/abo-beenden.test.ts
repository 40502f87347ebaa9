import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createPool } from '#platform/database/index.ts';
import { createOwnerDatabase, type OwnerDatabase } from '#platform/database/owner-database.ts';
import { registerAccount } from '#test/account.ts';
import { type PaymentProvider, startPaymentProvider } from '#test/payment-provider.ts';
import { startService, type TestService } from '#test/service.ts';
import { aboBeendenJob } from './abo-beenden.ts';

let provider: PaymentProvider;
let service: TestService;
let db: OwnerDatabase;
beforeAll(async () => {
  provider = await startPaymentProvider();
  service = await startService(provider.env);
  const options = { connection: service.connection, max: 2, statementTimeout: 30_000, name: 'test' };
  db = createOwnerDatabase(createPool(options, service.context.log));
});
afterAll(async () => {
  await db.close();
  await service.stop();
  await provider.stop();
});
beforeEach(async () => {
  provider.subscriptions.length = 0;
  provider.away = false;
  await service.sql('DELETE FROM buchungen');
});

const run = () => aboBeendenJob({ ...service.context, owner: db }).run();

async function createCustomer(
  status: 'aktiv' | 'gekündigt',
): Promise<{ mandantId: string; customer: string }> {
  const { mandantId } = await registerAccount(service);
  const customer = `cus_${mandantId.slice(-12)}`;
  await service.sql('INSERT INTO buchungen (mandant_id, kunde) VALUES ($1, $2)', [mandantId, customer]);
  await service.sql('UPDATE mandanten SET status = $2 WHERE mandant_id = $1', [mandantId, status]);
  return { mandantId, customer };
}

describe('buchung.abo_beenden', () => {
  it('ends what cancelled Mandanten pay for, and nothing else', async () => {
    const gone = await createCustomer('gekündigt');
    const stays = await createCustomer('aktiv');
    for (const status of ['active', 'past_due', 'canceled'])
      provider.put({ customer: gone.customer, status });
    provider.put({ customer: stays.customer });
    expect(await run()).toEqual({ beendet: 2 });
    expect(provider.subscriptions.map(({ status }) => status)).toEqual([
      'canceled',
      'canceled',
      'canceled',
      'active',
    ]);
    const [row] = await service.sql('SELECT abrechnungsstatus FROM mandanten WHERE mandant_id = $1', [
      gone.mandantId,
    ]);
    expect(row).toEqual({ abrechnungsstatus: 'gekündigt' });
    expect(await run()).toEqual({ beendet: 0 });
  });

  it('ends what was completed after the cancellation', async () => {
    const { customer } = await createCustomer('gekündigt');
    expect(await run()).toEqual({ beendet: 0 });
    provider.put({ customer });
    expect(await run()).toEqual({ beendet: 1 });
  });

  it('fails while the provider is away, to be repeated', async () => {
    const { customer } = await createCustomer('gekündigt');
    provider.put({ customer });
    provider.away = true;
    await expect(run()).rejects.toThrow('failed for 1 of 1 Mandanten');
    provider.away = false;
    expect(await run()).toEqual({ beendet: 1 });
  });

  it('does nothing without an account at the payment provider', async () => {
    await createCustomer('gekündigt');
    const config = { ...service.context.config, stripe: null };
    const job = aboBeendenJob({ ...service.context, owner: db, config });
    expect(await job.run()).toEqual({ beendet: 0 });
  });
});
