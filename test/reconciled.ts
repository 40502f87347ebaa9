/** A service with an account whose calls and invoices are held against each other. */
import { expect } from 'vitest';
import type { abgleich, ResponseOf } from '#contracts';
import { createPriceList } from '#domains/preise/index.ts';
import { createCountingWorker } from '#domains/zaehlung/index.ts';
import { type Account, createKey, registerAccount } from './account.ts';
import { ownerOf } from './jobs.ts';
import { startService } from './service.ts';

export type Reconciled = ResponseOf<typeof abgleich>;
export type Cause = Reconciled['zeilen'][number]['ursachen'][number];

export interface ReconciledCall {
  anbieter?: string | null;
  modell?: string;
  zeitpunkt?: string;
  /** Of input; ten million unless said otherwise. */
  token?: number;
}

export async function startReconciling() {
  const service = await startService();
  const owner = ownerOf(service);
  let account: Account;

  const post = async (url: string, headers: Record<string, string>, payload: object) => {
    const answer = await service.app.inject({ method: 'POST', url, headers, payload });
    expect(answer.statusCode, answer.body).toBeOneOf([201, 202]);
  };

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
    /** Unless said otherwise gpt-4o-mini at 0.15 USD per million: 1.5 USD. */
    async send(...calls: ReconciledCall[]) {
      const { secret } = await createKey(service, account);
      await post(
        '/v1/ereignisse',
        { authorization: `Bearer ${secret}` },
        {
          ereignisse: calls.map(({ token = 10_000_000, ...rest }) => ({
            agent: 'a',
            anbieter: 'openai',
            modell: 'gpt-4o-mini',
            zeitpunkt: '2026-10-10T10:00:00Z',
            eingabe_token: token,
            ausgabe_token: 0,
            ...rest,
          })),
        },
      );
    },
    async count(substituteRate = '1') {
      const { log } = service.context;
      await createCountingWorker({ db: owner, log, prices: createPriceList(), substituteRate }).drain();
    },
    invoice: (body: object) =>
      post(
        '/v1/cockpit/abgleich/rechnungen',
        { cookie: account.cookie },
        {
          monat: '2026-10',
          anbieter: 'openai',
          ...body,
        },
      ),
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
