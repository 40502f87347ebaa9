/** The Mandant and its settings: branding, data-processing agreement, alarm channels. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { alarmeSetzenRoute } from './routes/alarme-setzen.ts';
import { alarmempfaengerFragenRoute } from './routes/alarmempfaenger-fragen.ts';
import { avvAkzeptierenRoute } from './routes/avv-akzeptieren.ts';
import { brandingLogoRoute } from './routes/branding-logo.ts';
import { brandingSetzenRoute } from './routes/branding-setzen.ts';
import { kontoLesenRoute } from './routes/konto-lesen.ts';
import { kurseSetzenRoute } from './routes/kurse-setzen.ts';
import { zuordnungSetzenRoute } from './routes/zuordnung-setzen.ts';

export { type Adressen, type Kanaele, kanaeleToApi, readKanaele } from './alarmkanaele.ts';
export { requireFunktion } from './functions.ts';
export { mandantAngelegt } from './jobs/angelegt.ts';
export { DELETION_AFTER_DAYS, loeschungAb } from './leaving.ts';
export { LOGOS } from './limits.ts';
export {
  areLimitsBinding,
  FREI,
  type Grenzen,
  isOver,
  PAKETE,
  type Paket,
  type Paketstand,
  packageInForce,
} from './packages.ts';
export { fetchLogo } from './service/logo.ts';
export { readOwnNames } from './service/zuordnung.ts';
export {
  holdMandant,
  insertMandant,
  lockForOperator,
  lockMandant,
  type MandantOfOperator,
  type MandantRow,
  noteOverLimits,
  readMandant,
  updateForOperator,
  updateMandant,
} from './store.ts';
export { brandingToApi, mandantToApi } from './to-api.ts';

export const mandantRoutes = (context: ServiceContext): Route[] => [
  kontoLesenRoute(context),
  brandingSetzenRoute(context),
  brandingLogoRoute(context),
  avvAkzeptierenRoute(context),
  alarmeSetzenRoute(context),
  alarmempfaengerFragenRoute(context),
  kurseSetzenRoute(context),
  zuordnungSetzenRoute(context),
];
