/** Who signs in: registration, passwords, second factor, sessions, and what a role may do. */
import { createSessionCookie, type Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { abgelaufenesEntfernenJob } from './jobs/abgelaufenes-entfernen.ts';
import { alteSitzungenEntfernenJob } from './jobs/alte-sitzungen-entfernen.ts';
import { abmeldenRoute } from './routes/abmelden.ts';
import { andereSitzungenBeendenRoute } from './routes/andere-sitzungen-beenden.ts';
import { anmeldenRoute } from './routes/anmelden.ts';
import { type Browser, createBrowser } from './routes/browser.ts';
import { emailBestaetigenRoute } from './routes/email-bestaetigen.ts';
import { emailBestaetigungSendenRoute } from './routes/email-bestaetigung-senden.ts';
import { ichRoute } from './routes/ich.ts';
import { passwortAendernRoute } from './routes/passwort-aendern.ts';
import { passwortNeuRoute } from './routes/passwort-neu.ts';
import { passwortVergessenRoute } from './routes/passwort-vergessen.ts';
import { profilAendernRoute } from './routes/profil-aendern.ts';
import { registrierenRoute } from './routes/registrieren.ts';
import { sitzungBeendenRoute } from './routes/sitzung-beenden.ts';
import { sitzungenRoute } from './routes/sitzungen.ts';
import { zweiterFaktorBestaetigenRoute } from './routes/zweiter-faktor-bestaetigen.ts';
import { zweiterFaktorEinrichtenRoute } from './routes/zweiter-faktor-einrichten.ts';
import { zweiterFaktorEntfernenRoute } from './routes/zweiter-faktor-entfernen.ts';

export { emailTaken } from './errors.ts';
export { kontoVerwaist } from './jobs/konto-verwaist.ts';
export { LINKS } from './limits.ts';
export { normaliseStoredAddresses } from './owner/adressen.ts';
export { dismissOperator, nameOperator, readOperatorAddresses } from './owner/betreiber.ts';
export { issueLink, type LinkKind } from './owner/link.ts';
export { dropSecondFactor } from './owner/zweiter-faktor.ts';
export { type Rolle, rightsOf } from './rules.ts';
export { holdsUnproven, takeAddress } from './service/adresse.ts';
export { hashNewPassword } from './service/passwort.ts';
export { registerMandant } from './service/registrierung.ts';
export { endSignIns, herkunftOf, type SignedIn, startSession } from './service/sitzungen.ts';
export { confirmSelf } from './service/zweiter-faktor.ts';
export { createSessionLookup } from './session-lookup.ts';
export {
  listReachable,
  listWithoutAddress,
  markProven,
  regainAddress,
} from './store/adressen.ts';
export { insertBenutzer, type Reader, readBenutzer, readReader } from './store/benutzer.ts';
export { lockBenutzer } from './store/passwoerter.ts';
export type { Herkunft } from './store/sitzungen.ts';
export { type Browser, createBrowser };

export function zugangRoutes(context: ServiceContext): Route[] {
  const browser = createBrowser(context);
  return [
    registrierenRoute(context, browser),
    anmeldenRoute(context, browser),
    abmeldenRoute(context, createSessionCookie(context.config.production)),
    ichRoute(context),
    profilAendernRoute(context),
    emailBestaetigenRoute(context),
    emailBestaetigungSendenRoute(context),
    passwortVergessenRoute(context),
    passwortNeuRoute(context, browser),
    passwortAendernRoute(context, browser),
    zweiterFaktorEinrichtenRoute(context),
    zweiterFaktorBestaetigenRoute(context, createSessionCookie(context.config.production)),
    zweiterFaktorEntfernenRoute(context),
    sitzungenRoute(context),
    sitzungBeendenRoute(context),
    andereSitzungenBeendenRoute(context),
  ];
}

export const zugangJobs = (context: JobContext): Job[] => [
  alteSitzungenEntfernenJob(context),
  abgelaufenesEntfernenJob(context),
];
