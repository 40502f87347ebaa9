/** With which right what is read, wherever it is shown: on a page that shows several things, in a file of the export. */
import type { Right } from './kit/index.ts';
import {
  alarmeListe,
  alarmeSetzen,
  ansichten,
  befundeListe,
  benutzerEinladen,
  benutzerListe,
  budgets,
  cockpitAgenten,
  cockpitLaeufe,
  cockpitVerbrauch,
  endkunden,
  kontoLesen,
  preiseLesen,
  pruefprotokoll,
  regeln,
  schluesselAnlegen,
  ssoLesen,
  zwilling,
} from './operations/index.ts';

/**
 * That of the operation which reads it; what none reads alone takes that of the operation which sets it. Which role holds which
 * right is the table in `zugang/rules.ts`.
 */
export const READ_WITH = {
  konto: kontoLesen.access.right,
  alarme: alarmeSetzen.access.right,
  alarmliste: alarmeListe.access.right,
  schluessel: schluesselAnlegen.access.right,
  benutzer: benutzerListe.access.right,
  ansichten: ansichten.access.right,
  einladungen: benutzerEinladen.access.right,
  sso: ssoLesen.access.right,
  pruefprotokoll: pruefprotokoll.access.right,
  preise: preiseLesen.access.right,
  regeln: regeln.access.right,
  agenten: cockpitAgenten.access.right,
  laeufe: cockpitLaeufe.access.right,
  verbrauch: cockpitVerbrauch.access.right,
  weiterbelastung: endkunden.access.right,
  befunde: befundeListe.access.right,
  budgets: budgets.access.right,
  zwilling: zwilling.access.right,
} as const satisfies Record<string, Right>;
