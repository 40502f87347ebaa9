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
