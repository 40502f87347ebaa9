/**
 * The kinds of mail there are, each with whom it goes to and how much of it may leave. Nothing is put into the outbox without
 * its kind, so that a new one cannot forget either. Whom mail goes to decides what it needs:
 *
 * - `konto`: users and operators, about their own account. Asked for by hand where `zugang/limits.ts` counts it, or caused by
 *   something that happens to an account once; others must not be able to use it up, so it has no budget here.
 * - `einverstanden`: recipients who have confirmed the address and asked for it; it can be stopped. Bounded, in case something runs wild.
 * - `fremd`: people who have not asked. Nothing leaves before an inhaber has confirmed the own address: until then it is held in the
 *   outbox, or refused where the one who asks can do something about it.
 */
const HOUR = 3_600;
const DAY = 24 * HOUR;

/** This many mails at once, which come back evenly within the seconds. */
export interface Budget {
  /** Kinds that name the same one share it. */
  name: string;
  /** What it is counted by: the Mandant, the recipient, or both together. */
  je: 'mandant' | 'adresse' | 'paar';
  most: number;
  seconds: number;
}

export interface Art {
  an: 'konto' | 'einverstanden' | 'fremd';
  budgets: readonly Budget[];
  /** What becomes of mail to others before an inhaber has confirmed the own address. */
  unbestaetigt?: 'haelt' | 'verweigert';
  /** Counted when it is asked for (`reserveMails`), not when it is put into the outbox later. */
  vorab?: true;
}

/** What a Mandant writes to people who have not asked for it: a company may invite everybody on one day. */
const TO_OTHERS: Budget = { name: 'fremde', je: 'mandant', most: 1_000, seconds: DAY };
/** What one address gets of that from all Mandanten; more than one of them alone may send it. */
const OF_ADDRESS: Budget = { name: 'fremde', je: 'adresse', most: 20, seconds: DAY };
/** Of a Mandant in whose name nobody has confirmed an address yet: its mail is held. */
export const UNPROVEN: Budget = { name: 'unbestaetigt', je: 'mandant', most: 20, seconds: DAY };
/** Statements: the month of all end customers at once, and once again. */
const STATEMENTS: Budget = { name: 'abrechnung', je: 'mandant', most: 10_000, seconds: 30 * DAY };
const ALARMS: Budget = { name: 'alarm', je: 'mandant', most: 1_200, seconds: HOUR };

const KONTO: Art = { an: 'konto', budgets: [] };

export const ARTEN = {
  passwort: KONTO,
  adresse_bestaetigen: KONTO,
  adresse_verloren: KONTO,
  zweiter_faktor: KONTO,
  kuendigung: KONTO,
  betreiber: KONTO,
  einladung: {
    an: 'fremd',
    unbestaetigt: 'haelt',
    budgets: [TO_OTHERS, { name: 'einladung', je: 'paar', most: 5, seconds: DAY }, OF_ADDRESS],
  },
  alarm_bestaetigen: {
    an: 'fremd',
    unbestaetigt: 'haelt',
    vorab: true,
    budgets: [TO_OTHERS, { name: 'alarm_bestaetigen', je: 'paar', most: 3, seconds: DAY }, OF_ADDRESS],
  },
  // One for each end customer and month: other Mandanten cannot use that up. Several may have one mailbox, but not hundreds.
  abrechnung: {
    an: 'fremd',
    unbestaetigt: 'verweigert',
    vorab: true,
    budgets: [STATEMENTS, { name: 'abrechnung', je: 'paar', most: 30, seconds: 30 * DAY }],
  },
  abrechnung_erneut: {
    an: 'fremd',
    unbestaetigt: 'verweigert',
    vorab: true,
    budgets: [STATEMENTS, { name: 'abrechnung_erneut', je: 'paar', most: 2, seconds: DAY }, OF_ADDRESS],
  },
  alarm: {
    an: 'einverstanden',
    vorab: true,
    budgets: [ALARMS, { name: 'alarm', je: 'paar', most: 60, seconds: HOUR }],
  },
  alarm_probe: {
    an: 'einverstanden',
    vorab: true,
    budgets: [ALARMS, { name: 'alarm_probe', je: 'paar', most: 10, seconds: HOUR }],
  },
  wochenbericht: {
    an: 'einverstanden',
    budgets: [{ name: 'wochenbericht', je: 'paar', most: 5, seconds: DAY }],
  },
} as const satisfies Record<string, Art>;

export type ArtName = keyof typeof ARTEN;
export const artOf = (name: ArtName): Art => ARTEN[name];
