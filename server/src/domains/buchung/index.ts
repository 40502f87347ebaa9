/** Packages: booking at the payment provider, its callback, the licence. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { aboBeendenJob } from './jobs/abo-beenden.ts';
import { createProvider } from './provider.ts';
import { buchenRoute } from './routes/buchen.ts';
import { lizenzLesenRoute } from './routes/lizenz-lesen.ts';
import { portalRoute } from './routes/portal.ts';
import { zahlungEmpfangenRoute } from './routes/zahlung-empfangen.ts';

export function buchungRoutes(context: ServiceContext): Route[] {
  const { stripe } = context.config;
  const provider = stripe && createProvider(stripe, context.log);
  return [
    buchenRoute(context, provider),
    portalRoute(context, provider),
    zahlungEmpfangenRoute(context, provider),
    lizenzLesenRoute(context),
  ];
}

export const buchungJobs = (context: JobContext): Job[] => [aboBeendenJob(context)];
