import type { MandantTx } from '#platform/database/index.ts';

/** What counting has found so far in the events of the Mandant, and whether somebody has answered for its limits of money. */
export interface Found {
  confirmed_limits: boolean;
  named_agent: boolean;
  endkunde: boolean;
}

/**
 * Whether an event named its agent, and whether one named an Endkunde. Counting makes an agent or Endkunde at the first
 * event that names it, so their existence answers without touching the events.
 */
export function readFound(tx: MandantTx): Promise<Found> {
  const agents = tx
    .selectFrom('agenten')
    .where('mandant_id', '=', tx.mandant)
    .where('schluessel', '<>', 'unbekannt');
  const customers = tx.selectFrom('endkunden').where('mandant_id', '=', tx.mandant);
  const confirmed = tx
    .selectFrom('mandanten')
    .where('mandant_id', '=', tx.mandant)
    .where('geldgrenzen_bestaetigt_am', 'is not', null);
  return tx
    .selectNoFrom(({ exists }) => [
      exists(agents).$castTo<boolean>().as('named_agent'),
      exists(confirmed).$castTo<boolean>().as('confirmed_limits'),
      exists(customers).$castTo<boolean>().as('endkunde'),
    ])
    .executeTakeFirstOrThrow();
}
