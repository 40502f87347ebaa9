/** The packages there are and what each is for, as data (docs/decisions/0078). */

/** What a package is meant for; null is without limit. */
export interface Grenzen {
  /** Events of a local month. */
  ereignisse_monat: number | null;
  /** Active users and open invitations. */
  benutzer: number | null;
  /** Days that what was counted is kept. */
  aufbewahrung_tage: number | null;
}

/** What not every package has: sign-in with a company account, name, colour and logo of one's own. */
export type Funktion = 'firmenkonto' | 'eigenes_aussehen';

export interface Paket {
  paket: string;
  name: string;
  /** False for packages that come by licence or by agreement only. */
  buchbar: boolean;
  grenzen: Grenzen;
  funktionen: readonly Funktion[];
}

const limits = (
  ereignisse_monat: number | null,
  benutzer: number | null,
  aufbewahrung_tage: number | null,
) => ({
  ereignisse_monat,
  benutzer,
  aufbewahrung_tage,
});

const ALL: readonly Funktion[] = ['eigenes_aussehen', 'firmenkonto'];

const FREE: Paket = {
  ...{ paket: 'frei', name: 'Frei', buchbar: false },
  grenzen: limits(100_000, 3, 90),
  funktionen: [],
};

/** From the smallest to the largest. */
export const PAKETE: readonly Paket[] = [
  FREE,
  {
    ...{ paket: 'starter', name: 'Starter', buchbar: false },
    grenzen: limits(1_000_000, 10, 400),
    funktionen: ['eigenes_aussehen'],
  },
  {
    ...{ paket: 'team', name: 'Team', buchbar: true },
    grenzen: limits(20_000_000, 50, 800),
    funktionen: ALL,
  },
  {
    ...{ paket: 'enterprise', name: 'Enterprise', buchbar: false },
    grenzen: limits(null, null, null),
    funktionen: ALL,
  },
];

export const FREI = FREE.paket;

/** The package of this name; that of a name nobody knows any more holds as the largest: nobody is cut off by a rename. */
const packageOf = (paket: string): Paket =>
  PAKETE.find((each) => each.paket === paket) ?? {
    ...FREE,
    paket,
    name: paket,
    grenzen: limits(null, null, null),
    funktionen: ALL,
  };

/** What a Mandant has. Instants as ISO 8601 in UTC. */
export interface Paketstand {
  paket: string;
  paket_bis: string | null;
  paket_quelle: 'frei' | 'buchung' | 'lizenz' | 'betreiber';
}

/** The package in force: what the operator gave until a day is over then; a booking ends by word of the payment provider. */
export const packageInForce = ({ paket, paket_bis, paket_quelle }: Paketstand, now: Date): Paket =>
  paket_quelle === 'betreiber' && paket_bis !== null && Date.parse(paket_bis) <= now.getTime()
    ? FREE
    : packageOf(paket);

/**
 * Whether limits bind this Mandant. Where nothing is sold and the operator has given nothing, the package `frei` is no more than a
 * word: a self-hosted installation is its own. A licence of the installation outranks every package.
 */
export const areLimitsBinding = (
  { stripe, licence }: { stripe: object | null; licence: string | null },
  { paket_quelle }: Pick<Paketstand, 'paket_quelle'>,
): boolean => licence === null && (stripe !== null || paket_quelle !== 'frei');

/** Whether a number is beyond a limit. */
export const isOver = (used: number, limit: number | null): boolean => limit !== null && used > limit;
