/**
 * An operation is one method on one path. It is declared once, here in contracts; the server registers a
 * handler for it, the document `/openapi.json`, the validation of what comes in and the types of the
 * cockpit's client all follow from the declaration.
 */
import type { Static, TObject, TSchema } from 'typebox';
import type { Refusals } from './errors.ts';
import type { Checked } from './types.ts';

/** What an API key may do. `Senden` delivers events, `Lesen` reads. */
export type Scope = 'Senden' | 'Lesen';

/** What a user of the cockpit may do; which role holds which right is the table in `zugang/rules.ts`. */
export type Right =
  | 'selbst'
  | 'verbrauch.lesen'
  | 'agenten.aendern'
  | 'schutz.aendern'
  | 'preise.aendern'
  | 'weiterbelastung.verwalten'
  | 'konto.lesen'
  | 'konto.verwalten'
  | 'konto.buchen'
  | 'konto.kuendigen'
  | 'schluessel.verwalten'
  | 'benutzer.verwalten'
  | 'protokoll.lesen'
  | 'daten.ausgeben';

/** Who may call: anybody, the holder of an API key with a scope, a signed-in user with a right, an operator. */
export type Access =
  | { kind: 'public' }
  /** `foreign`: programs of others send, which put the key where their own has its place. */
  | { kind: 'key'; scope: Scope; foreign?: true }
  /** A key in `Authorization` or `X-SVC-Key`, whatever its scopes. */
  | { kind: 'any-key' }
  | { kind: 'session'; right: Right }
  /** A signed-in operator of the installation; in production only with a second factor. */
  | { kind: 'operator' };

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface Operation<
  P extends TObject | undefined = TObject | undefined,
  Q extends TObject | undefined = TObject | undefined,
  H extends TObject | undefined = TObject | undefined,
  B extends TSchema | undefined = TSchema | undefined,
  R extends TSchema = TSchema,
  A extends Access = Access,
  I extends string = string,
> {
  /** Stable dotted name, the slice first: in logs, metrics, rights and the document. */
  id: I;
  method: Method;
  /** OpenAPI form: `/v1/laeufe/{lauf_id}`. */
  path: string;
  /** One German sentence for the document. */
  summary: string;
  /** What it does, in English and Markdown: what a caller must know that the schemas do not say. */
  description: string;
  access: A;
  params?: P;
  query?: Q;
  /** Header names in lower case, with hyphens. */
  header?: H;
  body?: B;
  /** Success status, 200 unless given. */
  status?: number;
  /** Another status with the same body. */
  alsoStatus?: number;
  /** Another status of success, without a body. */
  emptyStatus?: number;
  /** Refusals besides those that follow from access and parts (`refusalsOf`). */
  refuses?: Refusals;
  /** Media types of the answer when it is not, or not only, JSON. */
  media?: string[];
  response: R;
  /** Answers may be kept and asked about (ETag), though the access does not say so. */
  confirmed?: boolean;
  /**
   * Milliseconds of CPU time of the event loop that a call may cost beside what its bytes are worth; what goes beyond is booked on who calls.
   * `CPU_OF_A_CALL` unless given.
   */
  cpu?: number;
  /** Seconds for which anybody on the way may keep the answer without asking; it is the same for all. */
  keptByAll?: number;
}

/** What a call may cost unless its operation says otherwise: several times what ordinary ones take. */
export const CPU_OF_A_CALL = 25;
/** Of what is made of all of a month, or of a whole file. */
export const CPU_OF_A_REPORT = 300;
/** Of archives of everything and of what a month of any size takes once: page by page, over minutes, of which there are few places. */
export const CPU_OF_AN_ARCHIVE = 60_000;

// Reading an optional property adds `undefined`; it says nothing about the operation.
type CheckedPart<S> = [Extract<S, TSchema>] extends [never]
  ? Record<string, never>
  : Checked<Extract<S, TSchema>>;

/** What a handler gets of each part of a request: checked, and filled in where there is a default. */
export type ParamsOf<O extends Operation> = CheckedPart<O['params']>;
export type QueryOf<O extends Operation> = CheckedPart<O['query']>;
export type HeaderOf<O extends Operation> = CheckedPart<O['header']>;
export type BodyOf<O extends Operation> = CheckedPart<O['body']>;
export type ResponseOf<O extends Operation> = Static<O['response']>;

/** Declares an operation; only there to infer the exact types of its schemas and its access. */
export function operation<
  const P extends TObject | undefined = undefined,
  const Q extends TObject | undefined = undefined,
  const H extends TObject | undefined = undefined,
  const B extends TSchema | undefined = undefined,
  const R extends TSchema = TSchema,
  const A extends Access = Access,
  const I extends string = string,
>(declaration: Operation<P, Q, H, B, R, A, I>): Operation<P, Q, H, B, R, A, I> {
  return declaration;
}
