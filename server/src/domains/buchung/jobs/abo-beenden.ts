/** Ends at the payment provider what a cancelled Mandant still pays for. */
import { type Job, job } from '#jobs/index.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import { createProvider, type Provider } from '../provider.ts';
import { type BookingContext, bringUpToDate } from '../service/zahlungen.ts';

const CANCELLED = `SELECT mandant_id, kunde FROM buchungen JOIN mandanten USING (mandant_id) WHERE status = 'gekündigt'`;
const ENDED = new Set(['canceled', 'incomplete_expired']);

/** Resolves with how many were ended. */
async function endAll(provider: Provider, kunde: string): Promise<number> {
  const running = (await provider.subscriptionsOf(kunde)).filter(({ status }) => !ENDED.has(status));
  for (const { id } of running) await provider.endSubscription(id);
  return running.length;
}

/**
 * Not in the request that cancels: the provider may be away, and leaving must not depend on it. It is asked again every
 * hour, for as long as the Mandant is there: a payment page that was open may still be completed.
 */
export function createAboBeenden(context: BookingContext & { config: Config; log: Log }): Job {
  const { stripe } = context.config;
  const provider = stripe && createProvider(stripe, context.log);
  return job({
    id: 'buchung.abo_beenden',
    cron: '12 * * * *',
    atStart: true,
    async run({ db }) {
      if (!provider) return { beendet: 0 };
      const { rows } = await db.query<{ mandant_id: string; kunde: string }>(CANCELLED);
      let beendet = 0;
      const failures: unknown[] = [];
      for (const { mandant_id, kunde } of rows) {
        try {
          const ended = await endAll(provider, kunde);
          if (ended > 0) await bringUpToDate(context, provider, mandantId(mandant_id), kunde, null);
          beendet += ended;
        } catch (error) {
          // One that fails must not keep the others paying.
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, 'subscriptions not ended');
      return { beendet };
    },
  });
}
