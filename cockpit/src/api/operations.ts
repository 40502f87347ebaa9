/**
 * The operations the cockpit can call. The types come from the contract itself; of its values only method and path are here
 * (`routes.ts`), because importing the declarations would bring the schema library into the bundle.
 */
import type { TSchema } from 'typebox';
import type { everyOperation, OperationName, Static } from '#contracts';
import { routes } from './routes.ts';

type OperationOf<N extends OperationName> = (typeof everyOperation)[N];

export { routes };

/** The operations that can be called from here. */
export type Callable = OperationName;

type Given<S> = Exclude<S, undefined>;
type Part<Name extends string, S> = [Given<S>] extends [never]
  ? Record<never, never>
  : { [K in Name]: Static<Given<S> extends infer G extends TSchema ? G : never> };

type QueryPart<N extends Callable> = Part<'query', OperationOf<N>['query']>;

/** Of a parameter that takes several values one may be given alone. */
type OneOrSeveral<Q> = {
  [K in keyof Q]: NonNullable<Q[K]> extends (infer V)[] ? V | V[] | Extract<Q[K], undefined> : Q[K];
};

/** What a call takes: `params`, `query`, `body`, each only where the contract declares it. */
export type InputOf<N extends Callable> = Part<'params', OperationOf<N>['params']> &
  Partial<{ [K in keyof QueryPart<N>]: OneOrSeveral<QueryPart<N>[K]> }> &
  Part<'body', OperationOf<N>['body']>;

/** What a call answers. */
export type AnswerOf<N extends Callable> = Static<OperationOf<N>['response']>;
