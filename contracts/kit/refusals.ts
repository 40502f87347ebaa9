/** How an operation may refuse: every status that can come, each with the codes it comes with. */
import type { ErrorCode } from '../error-codes.ts';
import { REFUSAL_STATUS, type RefusalStatus, type Refusals } from './errors.ts';
import type { Operation } from './operation.ts';

/** What any operation may answer, whatever it does. */
export const REFUSALS_OF_ALL = {
  400: ['anfrage_ungueltig', 'adresse_ungueltig'],
  408: ['zu_langsam'],
  413: ['zu_gross'],
  421: ['name_unbekannt'],
  429: ['anteil_verbraucht'],
  431: ['kopf_zu_gross'],
  500: ['interner_fehler'],
  503: ['ueberlastet', 'abfrage_zu_lang', 'datenbank_weg'],
} as const satisfies Refusals;

/** Changes must come from the same origin, signed in or not; keys need no such rule. */
const FOREIGN: Refusals = { 403: ['fremde_herkunft'] };

function ofAccess({ access, method }: Operation): Refusals[] {
  if (access.kind === 'any-key') return [{ 401: ['schluessel_ungueltig'] }];
  if (access.kind === 'key')
    return [
      {
        401: ['schluessel_ungueltig'],
        403: ['bereich_fehlt'],
        429: ['kontingent_schluessel', 'kontingent_mandant'],
      },
      ...(access.scope === 'Senden' ? [{ 429: ['zaehlung_wartet'] } satisfies Refusals] : []),
    ];
  const foreign = method === 'GET' ? [] : [FOREIGN];
  if (access.kind === 'public') return foreign;
  const operator: Refusals[] = access.kind === 'operator' ? [{ 403: ['zweiter_faktor_noetig'] }] : [];
  return [{ 401: ['nicht_angemeldet'], 403: ['verboten'] }, ...foreign, ...operator];
}

/**
 * Whether a sender that has cost too much is refused. Not where nobody is known, and not where it is asked which interventions are in
 * force: the sender that costs too much is the first that must learn of a stop.
 */
export const mayCostTooMuch = ({ access }: Operation): boolean =>
  access.kind !== 'public' && access.kind !== 'any-key';

const DEAR: Refusals = { 429: ['rechenzeit_verbraucht'] };

function ofParts({ method, params, body }: Operation): Refusals[] {
  return [
    ...(method === 'GET' ? [] : [{ 415: ['inhaltstyp_ungueltig'] } satisfies Refusals]),
    ...(params ? [{ 404: ['nicht_gefunden'] } satisfies Refusals] : []),
    ...(body ? [{ 400: ['kodierung_falsch'], 415: ['kodierung_unbekannt'] } satisfies Refusals] : []),
  ];
}

/**
 * Every refusal of an operation but 422, whose body is another: what all have, what follows from access and parts, and what
 * it declares itself (`refuses`). Lowest status first.
 */
export function refusalsOf(operation: Operation): Map<RefusalStatus, ErrorCode[]> {
  const parts = [
    REFUSALS_OF_ALL,
    ...ofAccess(operation),
    ...ofParts(operation),
    mayCostTooMuch(operation) ? DEAR : {},
    operation.refuses ?? {},
  ];
  const statuses = Object.keys(REFUSAL_STATUS).map(Number) as RefusalStatus[];
  return new Map(
    statuses.flatMap((status) => {
      const codes = new Set(parts.flatMap((part: Refusals) => part[status] ?? []));
      return codes.size === 0 ? [] : [[status, [...codes]] as const];
    }),
  );
}

/** Whether the operation checks what it is sent, and so may answer 422. */
export const mayBeInvalid = ({ params, query, header, body }: Operation): boolean =>
  Boolean(params || query || header || body);
