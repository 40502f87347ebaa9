/** Consumption: sums of what was counted, by key and by session. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { minutenEntfernenJob } from './jobs/minuten-entfernen.ts';
import { stueckeZusammenlegenJob } from './jobs/stuecke-zusammenlegen.ts';
import { apiVerbrauchRoute } from './routes/api-verbrauch.ts';
import { cockpitAgentRoute } from './routes/cockpit-agent.ts';
import { cockpitAgentenRoute } from './routes/cockpit-agenten.ts';
import { cockpitAuffaelligesRoute } from './routes/cockpit-auffaelliges.ts';
import { cockpitUebersichtRoute } from './routes/cockpit-uebersicht.ts';
import { cockpitVerbrauchRoute } from './routes/cockpit-verbrauch.ts';
import { uebersichtTagRoute } from './routes/uebersicht-tag.ts';

export { type ChangeRow, changes } from './changes.ts';
export { completeCostsSince } from './complete-costs.ts';
export {
  type CostQuestion,
  type Costs,
  costsSince,
  isKeptSql,
  keyCostsSince,
  totalCostsSince,
} from './costs.ts';
export { readCallsOfDays, readDaysWithCalls } from './days.ts';
export {
  consumptionByEngine,
  type EngineConsumption,
  type EngineQuestion,
  type GroupPosition,
} from './engine/consumption-by-engine.ts';
export type { Engine } from './engine/engine.ts';
export { engineOf } from './engine/engine-of.ts';
export {
  type ExactFigures,
  type ExactGroup,
  type ExactGroups,
  exactGroups,
} from './engine/exact-groups.ts';
export type { SumsRow } from './groups.ts';
export { stueckeZusammenlegenJob } from './jobs/stuecke-zusammenlegen.ts';
export { batchesOf } from './pieces/batches.ts';
export { AMOUNT_NAMES, COUNT_NAMES, LIMB_EXPONENTS, type PieceColumn } from './pieces/columns.ts';
export { readPiece } from './pieces/packed-columns.ts';
export { PieceRows } from './pieces/piece-rows.ts';
export {
  DAY_FIGURES,
  EVENT_FIGURES,
  eventValue,
  GRAINS,
  type Grain,
  HISTOGRAMS,
  isKept,
  type KeptValues,
  MINUTE_HOURS,
  STEP_BOUNDS,
  STEP_DIGITS,
  STEPS,
  SUM_COLUMNS,
  type SumColumn,
  TOTAL,
} from './rollup.ts';
export { fillBuckets, toRest, toSumme, toZeile } from './rules.ts';
export { periodAnswer, requireZeitraum } from './service/cockpit.ts';
export { rateSources, rateSourcesOfAll } from './service/rate-sources.ts';
export { type Snapshot, withSnapshot } from './service/snapshot.ts';
export { verbrauch } from './service/verbrauch.ts';
export { type KeyUse, readKeyUse } from './store/keys.ts';
export { readSources } from './store/sources.ts';
export { substituted } from './substituted.ts';

export const verbrauchRoutes = (context: ServiceContext): Route[] => [
  apiVerbrauchRoute(context),
  cockpitVerbrauchRoute(context),
  uebersichtTagRoute(context),
  cockpitUebersichtRoute(context),
  cockpitAgentenRoute(context),
  cockpitAgentRoute(context),
  cockpitAuffaelligesRoute(context),
];

export const verbrauchJobs = (context: Pick<JobContext, 'owner' | 'log'>): Job[] => [
  minutenEntfernenJob(context),
  stueckeZusammenlegenJob(context),
];
