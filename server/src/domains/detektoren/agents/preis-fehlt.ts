import { MAX_NAMEN } from '#contracts';
import { someOf } from '../calls/statement.ts';
import type { CallDetector } from '../detector.ts';
import { findByDay } from './days.ts';

/**
 * Models with calls in a local day that used tokens and have no cost: the price is not known. What they cost is null. A call that
 * tells no counts has no cost either, whatever its model; that is not this.
 */
export const preisFehlt: CallDetector<'preis_fehlt'> = {
  needsPrices: false,
  find: (look, regel) =>
    findByDay(
      look,
      regel,
      'modell',
      () => `
        unbepreist AS (SELECT * FROM tage WHERE kosten_eur IS NULL AND ausgabe IS NOT NULL)
        SELECT modell AS objekt, NULL AS agent, NULL::uuid AS lauf, beginn, max(zeitpunkt) AS ende,
          jsonb_build_object('aufrufe', count(*), 'anbieter', ${someOf('anbieter', MAX_NAMEN)}, 'agenten', ${someOf('agent', MAX_NAMEN)}) AS werte,
          NULL::numeric AS kosten_eur, NULL::numeric AS verbrannt_eur, NULL::numeric AS potential_eur
        FROM unbepreist GROUP BY modell, beginn`,
    ),
  trigger: null,
  preselect: null,
  reach: () => 0,
  calls: null,
};
