/** Consumption: sums of what was counted, by key and by session. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { apiVerbrauchRoute } from './routes/api-verbrauch.ts';
import { cockpitAgentRoute } from './routes/cockpit-agent.ts';
import { cockpitAgentenRoute } from './routes/cockpit-agenten.ts';
import { cockpitUebersichtRoute } from './routes/cockpit-uebersicht.ts';
import { cockpitVerbrauchRoute } from './routes/cockpit-verbrauch.ts';
import { uebersichtTagRoute } from './routes/uebersicht-tag.ts';

export {
  ADDENDS,
  FIGURE_TYPES,
  GRAINS,
  type GrainName,
  HISTOGRAMS,
  MINUTE_HOURS,
  STEP_BOUNDS,
  STEP_DIGITS,
  STEPS,
} from './rollup.ts';

export const verbrauchRoutes = (context: ServiceContext): Route[] => [
  apiVerbrauchRoute(context),
  cockpitVerbrauchRoute(context),
  uebersichtTagRoute(context),
  cockpitUebersichtRoute(context),
  cockpitAgentenRoute(context),
  cockpitAgentRoute(context),
];
