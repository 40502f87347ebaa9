/** Ends at the payment provider what a cancelled Mandant still pays for. */
import { forEveryMandant, type JobContext, onSchedule, type Selected } from '#jobs/index.ts';
import { createProvider, type Provider } from '../provider.ts';
import { bringUpToDate } from '../service/zahlungen.ts';

const CANCELLED = `SELECT mandant_id, kunde FROM buchungen JOIN mandanten USING (mandant_id) WHERE status = 'gekündigt'`;

interface Cancelled extends Selected {
  kunde: string;
}

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
export function aboBeendenJob(context: Omit<JobContext, 'mailer'>) {
  const { stripe } = context.config;
  const provider = stripe && createProvider(stripe, context.log);
  return onSchedule({
    id: 'buchung.abo_beenden',
    cron: '12 * * * *',
    atStart: true,
    async run() {
      if (!provider) return { beendet: 0 };
      const ended = await forEveryMandant(context, CANCELLED, async (mandant, { kunde }: Cancelled) => {
        const count = await endAll(provider, kunde);
        if (count > 0) await bringUpToDate(context, provider, mandant, kunde, null);
        return count;
      });
      return { beendet: ended.reduce((sum, count) => sum + count, 0) };
    },
  });
}
