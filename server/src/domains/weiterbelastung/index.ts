/** Passing costs on: end customers, what they are charged in a month, statements and files for bookkeeping. */
import type { Route } from '#http/index.ts';
import type { Job, JobContext } from '#jobs/index.ts';
import type { ServiceContext } from '#platform/context.ts';
import { abrechnungVersendenJob } from './jobs/abrechnung-versenden.ts';
import { abrechnungRoute } from './routes/abrechnung.ts';
import { abrechnungPdfRoute } from './routes/abrechnung-pdf.ts';
import { abrechnungenVersandRoute } from './routes/abrechnungen-versand.ts';
import { abrechnungenVersendenRoute } from './routes/abrechnungen-versenden.ts';
import { abrechnungenZipRoute } from './routes/abrechnungen-zip.ts';
import { abrechnungsmonateRoute } from './routes/abrechnungsmonate.ts';
import { buchhaltungLesenRoute } from './routes/buchhaltung-lesen.ts';
import { buchhaltungSetzenRoute } from './routes/buchhaltung-setzen.ts';
import { buchungBerichtigenRoute } from './routes/buchung-berichtigen.ts';
import { endkundeAendernRoute } from './routes/endkunde-aendern.ts';
import { endkundeAnlegenRoute } from './routes/endkunde-anlegen.ts';
import { endkundeEntfernenRoute } from './routes/endkunde-entfernen.ts';
import { endkundeZusammenfuehrenRoute } from './routes/endkunde-zusammenfuehren.ts';
import { endkundenRoute } from './routes/endkunden.ts';
import { endkundenEinlesenRoute } from './routes/endkunden-einlesen.ts';
import { focusAusgebenRoute } from './routes/focus-ausgeben.ts';
import { monatAbschliessenRoute } from './routes/monat-abschliessen.ts';
import { weiterbelastungAusgebenRoute } from './routes/weiterbelastung-ausgeben.ts';

export { monthBefore, monthOf, requireMonth, windowOf } from './month.ts';
export { noteStatementEnd } from './owner/mail-end.ts';
export { endkundenBody } from './routes/endkunden-einlesen.ts';
export { readClosedMonths } from './store/months.ts';

export const weiterbelastungRoutes = (context: ServiceContext): Route[] => [
  endkundenRoute(context),
  endkundeAnlegenRoute(context),
  endkundeAendernRoute(context),
  endkundeEntfernenRoute(context),
  endkundeZusammenfuehrenRoute(context),
  buchhaltungLesenRoute(context),
  buchhaltungSetzenRoute(context),
  abrechnungRoute(context),
  abrechnungPdfRoute(context),
  abrechnungenZipRoute(context),
  weiterbelastungAusgebenRoute(context),
  focusAusgebenRoute(context),
  abrechnungenVersendenRoute(context),
  abrechnungenVersandRoute(context),
  endkundenEinlesenRoute(context),
  abrechnungsmonateRoute(context),
  monatAbschliessenRoute(context),
  buchungBerichtigenRoute(context),
];

export const weiterbelastungJobs = (context: JobContext): Job[] => [abrechnungVersendenJob(context)];
