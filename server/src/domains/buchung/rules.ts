/** Which packages can be booked, and what the subscriptions at the payment provider say about the package of a Mandant. */
import { FREI, PAKETE } from '#domains/mandant/index.ts';
import { type AppError, conflict, InvalidInput } from '#kernel/errors.ts';

const LOOKUP_PREFIX = 'zaehlwerk_';

/** The name the price of a package has at the payment provider. */
export const lookupKeyOf = (paket: string): string => LOOKUP_PREFIX + paket;

/** The package a price of this name is paid for; null when it is none of ours. */
export function paketOf(lookupKey: string | null): string | null {
  const found = PAKETE.find(({ paket }) => paket !== FREI && lookupKeyOf(paket) === lookupKey);
  return found?.paket ?? null;
}

const BOOKABLE = PAKETE.filter(({ buchbar }) => buchbar).map(({ paket }) => paket);

/** Throws for a package that cannot be booked. */
export function requireBookable(paket: string): void {
  if (!BOOKABLE.includes(paket))
    throw new InvalidInput({ path: ['paket'], expected: BOOKABLE, input: paket });
}

type Abrechnungsstatus = 'keine' | 'aktiv' | 'probe' | 'zahlung_offen' | 'gekündigt';
type Quelle = 'frei' | 'buchung' | 'lizenz' | 'betreiber';

/** What booking decides about a Mandant. Instants as ISO 8601 in UTC. */
export interface Buchungsstand {
  paket: string;
  paket_bis: string | null;
  paket_quelle: Quelle;
  abrechnungsstatus: Abrechnungsstatus;
}

/** Why this Mandant cannot book now; null when it can. */
export function bookingProblem({ paket_quelle, abrechnungsstatus }: Buchungsstand): AppError | null {
  if (paket_quelle === 'betreiber')
    return conflict('paket_vom_betreiber', {
      de: 'Ihren Tarif legt der Betreiber fest; wenden Sie sich an ihn.',
      en: 'The operator decides about your plan; please turn to them.',
    });
  if (paket_quelle === 'buchung' || abrechnungsstatus === 'zahlung_offen')
    return conflict('schon_gebucht', {
      de: 'Sie haben schon einen Tarif gebucht; ändern lässt er sich im Kundenportal.',
      en: 'You have booked a plan already; it can be changed in the customer portal.',
    });
  return null;
}

/** A subscription at the payment provider. Instants in seconds of Unix time. */
export interface Abonnement {
  id: string;
  /** The provider's word. */
  status: string;
  /** Null when nothing in it is a package of ours. */
  paket: string | null;
  /** End of the period that is paid or due. */
  laeuft_bis: number | null;
  /** When it ends for good; null when it is renewed. */
  endet_am: number | null;
  begonnen_am: number;
}

/** From the status that gives most to the one that gives least; what is not listed counts as never begun. */
const RANKS = ['active', 'trialing', 'past_due', 'unpaid', 'paused', 'canceled'];
const GIVES_PACKAGE = new Set(['active', 'trialing', 'past_due']);

const statusOf = ({ status, endet_am }: Abonnement): Abrechnungsstatus => {
  if (status === 'canceled') return 'gekündigt';
  if (status !== 'active' && status !== 'trialing') return 'zahlung_offen';
  if (endet_am !== null) return 'gekündigt';
  return status === 'active' ? 'aktiv' : 'probe';
};

const isOurs = ({ paket, status }: Abonnement): boolean => paket !== null && RANKS.includes(status);

/**
 * The subscription that counts: the one that gives most, of equal ones one that is renewed, then `counted` (the id of the
 * one that counts so far), then the oldest. So a second one never takes the place of the first.
 */
export function decisive(abonnements: readonly Abonnement[], counted: string | null): Abonnement | null {
  const [first] = abonnements
    .filter(isOurs)
    .sort(
      (a, b) =>
        RANKS.indexOf(a.status) - RANKS.indexOf(b.status) ||
        Number(a.endet_am !== null) - Number(b.endet_am !== null) ||
        Number(b.id === counted) - Number(a.id === counted) ||
        a.begonnen_am - b.begonnen_am,
    );
  return first ?? null;
}

/** What goes on costing beside the subscription that counts, for nothing. */
export const surplusBeside = (
  decisive: Abonnement | null,
  abonnements: readonly Abonnement[],
): Abonnement[] =>
  decisive === null
    ? []
    : abonnements.filter(
        (abo) => isOurs(abo) && abo.id !== decisive.id && abo.status !== 'canceled' && abo.endet_am === null,
      );

const toIso = (seconds: number | null) => (seconds === null ? null : new Date(seconds * 1_000).toISOString());

/** What a Mandant has, given what it had and the subscription that counts. The operator's word outranks a booking. */
export function standAfter(before: Buchungsstand, abonnement: Abonnement | null): Buchungsstand {
  const abrechnungsstatus = abonnement ? statusOf(abonnement) : 'keine';
  if (before.paket_quelle === 'betreiber') return { ...before, abrechnungsstatus };
  if (abonnement?.paket && GIVES_PACKAGE.has(abonnement.status)) {
    const paket_bis = toIso(abonnement.endet_am ?? abonnement.laeuft_bis);
    return { paket: abonnement.paket, paket_bis, paket_quelle: 'buchung', abrechnungsstatus };
  }
  if (before.paket_quelle !== 'buchung') return { ...before, abrechnungsstatus };
  return { paket: FREI, paket_bis: null, paket_quelle: 'frei', abrechnungsstatus };
}
