/** Licences of self-hosted installations that are made out here, and the public revocation list. */
import type { AsOperator } from '#domains/protokoll/index.ts';
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { entsperrenRoute } from './routes/entsperren.ts';
import { erzeugenRoute } from './routes/erzeugen.ts';
import { listeRoute } from './routes/liste.ts';
import { sperrenRoute } from './routes/sperren.ts';
import { sperrlisteRoute } from './routes/sperrliste.ts';

export { block, issue, readSigningKeys, rotate, unblock, withdraw } from './owner/issuing.ts';
export { type Lizenzeintrag, listLicences, type Wahl } from './owner/licences.ts';

export const lizenzenRoutes = (context: ServiceContext, asOperator: AsOperator): Route[] => [
  sperrlisteRoute(context),
  listeRoute(asOperator),
  erzeugenRoute(context, asOperator),
  sperrenRoute(context, asOperator),
  entsperrenRoute(context, asOperator),
];
