/** API keys: made, limited, blocked, looked up. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { schluesselAendernRoute } from './routes/aendern.ts';
import { schluesselAnlegenRoute } from './routes/anlegen.ts';
import { schluesselSperrenRoute } from './routes/sperren.ts';

export { createKeyLookup } from './key-lookup.ts';
export { newKeySecret, visibleParts } from './rules.ts';
export { createKey, NO_KEYS, pageOfKeys } from './service.ts';
export { hasActiveSchluessel, readKeyNames, readSchluessel } from './store.ts';
export { schluesselToApi } from './to-api.ts';

export const schluesselRoutes = (context: ServiceContext): Route[] => [
  schluesselAnlegenRoute(context),
  schluesselAendernRoute(context),
  schluesselSperrenRoute(context),
];
