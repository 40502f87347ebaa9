/** Reconciliation: what was counted beside what providers invoice. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { abgleichRoute } from './routes/abgleich.ts';
import { nutzungVergleichenRoute } from './routes/nutzung-vergleichen.ts';
import { rechnungAendernRoute } from './routes/rechnung-aendern.ts';
import { rechnungEntfernenRoute } from './routes/rechnung-entfernen.ts';
import { rechnungErfassenRoute } from './routes/rechnung-erfassen.ts';

export const abgleichRoutes = (context: ServiceContext): Route[] => [
  abgleichRoute(context),
  nutzungVergleichenRoute(context),
  rechnungErfassenRoute(context),
  rechnungAendernRoute(context),
  rechnungEntfernenRoute(context),
];
