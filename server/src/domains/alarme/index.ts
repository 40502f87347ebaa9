/** Alarms: raised in the transaction that finds their cause, delivered through the channels of the Mandant, with a log of it. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { alteAlarmeEntfernenJob } from './jobs/alte-entfernen.ts';
import { sammelnJob } from './jobs/sammeln.ts';
import { verteilenJob } from './jobs/verteilen.ts';
import { zustellenJob } from './jobs/zustellen.ts';
import { einstellungenLesenRoute } from './routes/einstellungen-lesen.ts';
import { einstellungenSetzenRoute } from './routes/einstellungen-setzen.ts';
import { geheimnisErneuernRoute } from './routes/geheimnis-erneuern.ts';
import { alarmeListeRoute } from './routes/liste.ts';
import { alarmProbeRoute } from './routes/probe.ts';
import { zustellungWiederholenRoute } from './routes/zustellung-wiederholen.ts';

export { raiseAlarm, raiseRecovery } from './owner/raise.ts';
export { settingsIn as alarmSettingsIn } from './service/settings.ts';

export const alarmeJobs = (context: JobContext): Job[] => [
  verteilenJob(context),
  zustellenJob(context),
  sammelnJob(context),
  alteAlarmeEntfernenJob(context),
];

export const alarmeRoutes = (context: ServiceContext): Route[] => [
  alarmeListeRoute(context),
  einstellungenLesenRoute(context),
  einstellungenSetzenRoute(context),
  geheimnisErneuernRoute(context),
  alarmProbeRoute(context),
  zustellungWiederholenRoute(context),
];
