/** The users of a Mandant and their roles, seen and changed by those who administer them; invitations. */
import { createBrowser } from '#domains/zugang/index.ts';
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { alteEinladungenEntfernenJob } from './jobs/alte-einladungen-entfernen.ts';
import { benutzerAendernRoute } from './routes/aendern.ts';
import { benutzerEinladenRoute } from './routes/einladen.ts';
import { einladungAnnehmenRoute } from './routes/einladung-annehmen.ts';
import { einladungLesenRoute } from './routes/einladung-lesen.ts';
import { einladungZurueckziehenRoute } from './routes/einladung-zurueckziehen.ts';
import { benutzerEntfernenRoute } from './routes/entfernen.ts';
import { benutzerListeRoute } from './routes/liste.ts';

export { renewInvitationLink } from './owner/link.ts';
export { countPlaces } from './store/benutzer.ts';

export const benutzerRoutes = (context: ServiceContext): Route[] => [
  benutzerListeRoute(context),
  benutzerEinladenRoute(context),
  benutzerAendernRoute(context),
  benutzerEntfernenRoute(context),
  einladungZurueckziehenRoute(context),
  einladungLesenRoute(context),
  einladungAnnehmenRoute(context, createBrowser(context)),
];

export const benutzerJobs = (context: JobContext): Job[] => [alteEinladungenEntfernenJob(context)];
