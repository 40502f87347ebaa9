/** Licences of self-hosted installations that are made out here, and the public revocation list. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { sperrlisteRoute } from './routes/sperrliste.ts';

export { block, issue, readSigningKeys, rotate, unblock, withdraw } from './owner/issuing.ts';
export { type Lizenzeintrag, listLicences, type Wahl } from './owner/licences.ts';

export const lizenzenRoutes = (context: ServiceContext): Route[] => [sperrlisteRoute(context)];
