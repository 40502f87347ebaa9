/** Rules: what a Mandant wants to be told of, and what is to be done then. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { vorgabeAnlegenJob } from './jobs/vorgabe-anlegen.ts';
import { vorgabeNachholenJob } from './jobs/vorgabe-nachholen.ts';
import { geldgrenzenRoute } from './routes/geldgrenzen.ts';
import { geldgrenzenSetzenRoute } from './routes/geldgrenzen-setzen.ts';
import { regelAendernRoute } from './routes/regel-aendern.ts';
import { regelAnlegenRoute } from './routes/regel-anlegen.ts';
import { regelEntfernenRoute } from './routes/regel-entfernen.ts';
import { regelnRoute } from './routes/regeln.ts';
import { regeltypenRoute } from './routes/regeltypen.ts';

export { minutesOf } from '#kernel/duration.ts';
export { createBacklogLimit } from './backlog.ts';
export { readActiveRules } from './owner/active.ts';
export { createArmed } from './owner/armed.ts';
export type { Regel, RegelVon } from './regel.ts';
export { changeRuleWithin, draftChange, draftRule } from './service.ts';
export { lockRule, readActiveRulesOf } from './store.ts';

export const regelnRoutes = (context: ServiceContext): Route[] => [
  regelnRoute(context),
  regelAnlegenRoute(context),
  regelAendernRoute(context),
  regelEntfernenRoute(context),
  regeltypenRoute(),
  geldgrenzenRoute(context),
  geldgrenzenSetzenRoute(context),
];

export const regelnJobs = (context: Pick<JobContext, 'owner' | 'db' | 'clock' | 'log'>): Job[] => [
  vorgabeAnlegenJob(context),
  vorgabeNachholenJob(context),
];
