/** Accounts, users, sessions and API keys. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { abmeldenRoute } from './routes/abmelden.ts';
import { anmeldenRoute } from './routes/anmelden.ts';
import { ichRoute } from './routes/ich.ts';
import { kontoLesenRoute } from './routes/konto-lesen.ts';
import { registrierenRoute } from './routes/registrieren.ts';
import { schluesselAnlegenRoute } from './routes/schluessel-anlegen.ts';
import { schluesselSperrenRoute } from './routes/schluessel-sperren.ts';
import { createSessionCookie } from './session-cookie.ts';
import { createLoginThrottle } from './throttle.ts';

export { createAuthenticator } from './authenticator.ts';
export { alteSitzungenEntfernen } from './jobs/alte-sitzungen-entfernen.ts';
export { type Rolle, rightsOf } from './rules.ts';
export { createKey, registerMandant } from './service.ts';
export { listSchluessel, type MandantRow, readMandant, readSchluessel, type SchluesselRow } from './store.ts';
export { schluesselToApi } from './to-api.ts';

export function zugangRoutes(context: ServiceContext): Route[] {
  const cookie = createSessionCookie(context.config.production);
  return [
    registrierenRoute(context, cookie),
    anmeldenRoute(context, cookie, createLoginThrottle()),
    abmeldenRoute(context, cookie),
    ichRoute(),
    kontoLesenRoute(context),
    schluesselAnlegenRoute(context),
    schluesselSperrenRoute(context),
  ];
}
