/** A service with an account whose calls and invoices are held against each other. */
import { expect } from 'vitest';
import type { abgleich, ResponseOf } from '#contracts';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { type Account, registerAccount } from './account.ts';
import { ownerOf } from './jobs.ts';
import { type PlainCall, sendPlainCalls } from './plain-calls.ts';
import { startService } from './service.ts';

export type Reconciled = ResponseOf<typeof abgleich>;
export type Cause = Reconciled['zeilen'][number]['ursachen'][number];

export async function startReconciling() {
  const service = await startService();
  const owner = ownerOf(service);
  let account: Account;

  return {
    service,
    owner,
    account: () => account,
    /** The calls and invoices from here on are those of a Mandant of their own. */
    async begin() {
      account = await registerAccount(service);
    },
    /** Which reference rates are known. */
    async setRates(rates: Record<string, string>) {
      await service.sql('DELETE FROM wechselkurse');
      for (const [tag, rate] of Object.entries(rates))
        await service.sql("INSERT INTO wechselkurse (tag, usd_eur, quelle) VALUES ($1, $2, 'ezb')", [
          tag,
          rate,
        ]);
    },
    send: (...calls: PlainCall[]) => sendPlainCalls(service, account, calls),
    async count(substituteRate = '1') {
      const { log } = service.context;
      await createCountingWorker({ db: owner, log, prices: createPriceList(), substituteRate }).drain();
    },
    async invoice(body: object) {
      const answer = await service.app.inject({
        method: 'POST',
        url: '/v1/cockpit/abgleich/rechnungen',
        headers: { cookie: account.cookie },
        payload: { monat: '2026-10', anbieter: 'openai', ...body },
      });
      expect(answer.statusCode, answer.body).toBe(201);
    },
    async read(query = 'monat=2026-10'): Promise<Reconciled> {
      const answer = await service.app.inject({
        url: `/v1/cockpit/abgleich?${query}`,
        headers: { cookie: account.cookie },
      });
      expect(answer.statusCode, answer.body).toBe(200);
      return answer.json();
    },
    async stop() {
      await owner.close();
      await service.stop();
    },
  };
}

export type Reconciling = Awaited<ReturnType<typeof startReconciling>>;
