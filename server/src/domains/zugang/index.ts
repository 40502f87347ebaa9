/** Accounts, users, sessions and API keys. */
import type { Route } from '#http/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { abmeldenRoute } from './routes/abmelden.ts';
import { andereSitzungenBeendenRoute } from './routes/andere-sitzungen-beenden.ts';
import { anmeldenRoute } from './routes/anmelden.ts';
import { benutzerAendernRoute } from './routes/benutzer-aendern.ts';
import { benutzerEinladenRoute } from './routes/benutzer-einladen.ts';
import { benutzerEntfernenRoute } from './routes/benutzer-entfernen.ts';
import { benutzerListeRoute } from './routes/benutzer-liste.ts';
import { einladungAnnehmenRoute } from './routes/einladung-annehmen.ts';
import { einladungLesenRoute } from './routes/einladung-lesen.ts';
import { einladungZurueckziehenRoute } from './routes/einladung-zurueckziehen.ts';
import { ichRoute } from './routes/ich.ts';
import { kontoLesenRoute } from './routes/konto-lesen.ts';
import { passwortAendernRoute } from './routes/passwort-aendern.ts';
import { passwortNeuRoute } from './routes/passwort-neu.ts';
import { passwortVergessenRoute } from './routes/passwort-vergessen.ts';
import { registrierenRoute } from './routes/registrieren.ts';
import { schluesselAnlegenRoute } from './routes/schluessel-anlegen.ts';
import { schluesselSperrenRoute } from './routes/schluessel-sperren.ts';
import { sitzungBeendenRoute } from './routes/sitzung-beenden.ts';
import { sitzungenRoute } from './routes/sitzungen.ts';
import { zweiterFaktorBestaetigenRoute } from './routes/zweiter-faktor-bestaetigen.ts';
import { zweiterFaktorEinrichtenRoute } from './routes/zweiter-faktor-einrichten.ts';
import { zweiterFaktorEntfernenRoute } from './routes/zweiter-faktor-entfernen.ts';
import { createSessionCookie } from './session-cookie.ts';

export { createAuthenticator } from './authenticator.ts';
export { abgelaufenesEntfernen } from './jobs/abgelaufenes-entfernen.ts';
export { alteEinladungenEntfernen } from './jobs/alte-einladungen-entfernen.ts';
export { alteSitzungenEntfernen } from './jobs/alte-sitzungen-entfernen.ts';
export { dismissOperator, nameOperator } from './jobs/betreiber.ts';
export { dropSecondFactor } from './jobs/zweiter-faktor.ts';
export { type Rolle, rightsOf } from './rules.ts';
export { confirmOwnPassword } from './service/passwort.ts';
export { registerMandant } from './service/registrierung.ts';
export { createKey } from './service/schluessel.ts';
export { endSession, herkunftOf, type SignedIn, startSession } from './service/sitzungen.ts';
export { createSessionCookie, type SessionCookie } from './session-cookie.ts';
export { insertBenutzer, readBenutzer } from './store/benutzer.ts';
export { lockBenutzer } from './store/passwoerter.ts';
export { listSchluessel, readSchluessel, type SchluesselRow } from './store/schluessel.ts';
export type { Herkunft } from './store/sitzungen.ts';
export { schluesselToApi } from './to-api.ts';

export function zugangRoutes(context: ServiceContext): Route[] {
  const cookie = createSessionCookie(context.config.production);
  return [
    registrierenRoute(context, cookie),
    anmeldenRoute(context, cookie),
    abmeldenRoute(context, cookie),
    ichRoute(context),
    passwortVergessenRoute(context),
    passwortNeuRoute(context),
    passwortAendernRoute(context),
    zweiterFaktorEinrichtenRoute(context),
    zweiterFaktorBestaetigenRoute(context),
    zweiterFaktorEntfernenRoute(context),
    sitzungenRoute(context),
    sitzungBeendenRoute(context),
    andereSitzungenBeendenRoute(context),
    benutzerListeRoute(context),
    benutzerEinladenRoute(context),
    benutzerAendernRoute(context),
    benutzerEntfernenRoute(context),
    einladungZurueckziehenRoute(context),
    einladungLesenRoute(context),
    einladungAnnehmenRoute(context, cookie),
    kontoLesenRoute(context),
    schluesselAnlegenRoute(context),
    schluesselSperrenRoute(context),
  ];
}
