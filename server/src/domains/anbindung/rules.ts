/** The checklist of a new Mandant. */
import type { erststart, ResponseOf } from '#contracts';
import type { Arrival } from '#domains/ereignisse/index.ts';

type Erststart = ResponseOf<typeof erststart>;

export interface Progress {
  hasActiveKey: boolean;
  hasConfirmedLimits: boolean;
  hasEvents: boolean;
  hasNamedAgent: boolean;
  hasEndkunde: boolean;
}

/** The steps in the order they are taken; done or open. */
export function stepsOf(progress: Progress): Erststart {
  const schritte: Erststart['schritte'] = [
    { schritt: 'konto', titel: 'Konto angelegt', erledigt: true },
    { schritt: 'schluessel', titel: 'API-Schlüssel angelegt', erledigt: progress.hasActiveKey },
    { schritt: 'geldgrenzen', titel: 'Geldgrenzen bestätigt', erledigt: progress.hasConfirmedLimits },
    { schritt: 'erster_aufruf', titel: 'Erster Aufruf angekommen', erledigt: progress.hasEvents },
    { schritt: 'agent_benannt', titel: 'Agent benannt', erledigt: progress.hasNamedAgent },
    {
      schritt: 'endkunde_zugeordnet',
      titel: 'Aufruf einem Endkunden zugeordnet',
      erledigt: progress.hasEndkunde,
    },
  ];
  return { schritte, abgeschlossen: schritte.every((step) => step.erledigt) };
}

/** Calls wait in the sender for less than that. */
const WAITS_MS = 300_000;
/** A clock is as wrong with one call as with the next. */
const ALIKE_MS = 60_000;
/** What came in at fewer times says nothing: it may have been sent later. */
const FEWEST_RECEIPTS = 3;

/**
 * How many seconds the clock of a sender is behind ours (negative: ahead), by its latest calls; null where they do not say so. What is imported
 * or delivered late comes in after other times each.
 */
export function clockErrorOf(arrivals: readonly Arrival[]): number | null {
  if (new Set(arrivals.map(({ received }) => received)).size < FEWEST_RECEIPTS) return null;
  const errors = arrivals.map(({ ended, received }) => received - ended).sort((a, b) => a - b);
  const [least = 0] = errors;
  const most = errors.at(-1) ?? 0;
  if (most - least > ALIKE_MS || Math.abs(least) < WAITS_MS) return null;
  return Math.round(least / 1_000);
}
