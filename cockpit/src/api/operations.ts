/**
 * Method and path of every operation the cockpit calls. The types come from the contract itself; only these
 * few words are repeated, because importing the schemas would bring the schema library into the bundle. The
 * test beside this file holds the table against the contract.
 */
import type { TSchema } from 'typebox';
import type * as Contracts from '#contracts';
import type { Operation, Static } from '#contracts';

export type OperationName = {
  [K in keyof typeof Contracts]: (typeof Contracts)[K] extends Operation ? K : never;
}[keyof typeof Contracts];

type OperationOf<N extends OperationName> = (typeof Contracts)[N];

export const routes = {
  registrieren: ['POST', '/v1/registrieren'],
  anmelden: ['POST', '/v1/anmelden'],
  abmelden: ['POST', '/v1/abmelden'],
  ich: ['GET', '/v1/ich'],
  sitzungen: ['GET', '/v1/cockpit/sitzungen'],
  sitzungBeenden: ['DELETE', '/v1/cockpit/sitzungen/{sitzung_id}'],
  andereSitzungenBeenden: ['DELETE', '/v1/cockpit/sitzungen'],
  passwortVergessen: ['POST', '/v1/passwort/vergessen'],
  passwortNeu: ['POST', '/v1/passwort/neu'],
  passwortAendern: ['PUT', '/v1/cockpit/passwort'],
  zweiterFaktorEinrichten: ['POST', '/v1/cockpit/2fa/einrichten'],
  zweiterFaktorBestaetigen: ['POST', '/v1/cockpit/2fa/bestaetigen'],
  zweiterFaktorEntfernen: ['DELETE', '/v1/cockpit/2fa'],
  einladungLesen: ['GET', '/v1/einladung'],
  einladungAnnehmen: ['POST', '/v1/einladung/annehmen'],
  ssoAnbieter: ['GET', '/v1/sso/anbieter'],
  ssoStart: ['GET', '/v1/sso/start'],
  benutzerListe: ['GET', '/v1/cockpit/benutzer'],
  benutzerEinladen: ['POST', '/v1/cockpit/benutzer/einladen'],
  einladungZurueckziehen: ['DELETE', '/v1/cockpit/benutzer/einladungen/{einladung_id}'],
  benutzerAendern: ['PUT', '/v1/cockpit/benutzer/{benutzer_id}'],
  benutzerEntfernen: ['DELETE', '/v1/cockpit/benutzer/{benutzer_id}'],
  kontoLesen: ['GET', '/v1/cockpit/konto'],
  brandingSetzen: ['PUT', '/v1/cockpit/konto/branding'],
  brandingLogo: ['GET', '/v1/cockpit/konto/branding/logo'],
  avvAkzeptieren: ['POST', '/v1/cockpit/konto/avv'],
  alarmeSetzen: ['PUT', '/v1/cockpit/mandant/alarme'],
  kontoKuendigen: ['DELETE', '/v1/cockpit/konto'],
  ssoLesen: ['GET', '/v1/cockpit/mandant/sso'],
  ssoSetzen: ['PUT', '/v1/cockpit/mandant/sso'],
  ssoEntfernen: ['DELETE', '/v1/cockpit/mandant/sso'],
  ssoDomainPruefen: ['POST', '/v1/cockpit/mandant/sso/domains/{domain}/pruefen'],
  buchen: ['POST', '/v1/cockpit/konto/buchen'],
  portal: ['POST', '/v1/cockpit/konto/portal'],
  lizenzLesen: ['GET', '/v1/cockpit/lizenz'],
  pruefprotokoll: ['GET', '/v1/cockpit/pruefprotokoll'],
  exportZip: ['GET', '/v1/cockpit/export.zip'],
  erststart: ['GET', '/v1/cockpit/erststart'],
  cockpitAnbindung: ['GET', '/v1/cockpit/anbindung'],
  schluesselAnlegen: ['POST', '/v1/cockpit/konto/schluessel'],
  schluesselSperren: ['DELETE', '/v1/cockpit/konto/schluessel/{schluessel_id}'],
  ereignisseAnnehmen: ['POST', '/v1/ereignisse'],
  anbindungPruefen: ['GET', '/v1/anbindung/pruefen'],
  cockpitUebersicht: ['GET', '/v1/cockpit/uebersicht'],
  cockpitAgenten: ['GET', '/v1/cockpit/agenten'],
  cockpitAgent: ['GET', '/v1/cockpit/agenten/{agent_id}'],
  agentAendern: ['PUT', '/v1/cockpit/agenten/{agent_id}'],
  cockpitLaeufe: ['GET', '/v1/cockpit/laeufe'],
  cockpitLauf: ['GET', '/v1/cockpit/laeufe/{lauf_id}'],
} as const satisfies Partial<Record<OperationName, readonly [string, string]>>;

/** The operations that can be called from here. */
export type Callable = keyof typeof routes;

type Given<S> = Exclude<S, undefined>;
type Part<Name extends string, S> = [Given<S>] extends [never]
  ? Record<never, never>
  : { [K in Name]: Static<Given<S> extends infer G extends TSchema ? G : never> };

/** What a call takes: `params`, `query`, `body`, each only where the contract declares it. */
export type InputOf<N extends Callable> = Part<'params', OperationOf<N>['params']> &
  Partial<Part<'query', OperationOf<N>['query']>> &
  Part<'body', OperationOf<N>['body']>;

/** What a call answers. */
export type AnswerOf<N extends Callable> = Static<OperationOf<N>['response']>;
