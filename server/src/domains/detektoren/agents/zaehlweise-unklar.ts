import { MAX_NAMEN } from '#contracts';
import { someOf } from '../calls/statement.ts';
import type { CallDetector } from '../detector.ts';
import { findByDay } from './days.ts';

/** Models with calls in a local day that cannot be read as their sender's calls are read: more lay in the cache than was put in. */
export const zaehlweiseUnklar: CallDetector<'zaehlweise_unklar'> = {
  needsPrices: false,
  find: (look, regel) =>
    findByDay(
      look,
      regel,
      'modell',
      () => `
        gelesen AS (SELECT *, aus_cache > eingabe_genannt AS unmoeglich FROM tage WHERE umfasst_cache AND aus_cache > 0)
        SELECT modell AS objekt, NULL AS agent, NULL::uuid AS lauf, beginn, max(zeitpunkt) FILTER (WHERE unmoeglich) AS ende,
          jsonb_build_object('aufrufe', count(*) FILTER (WHERE unmoeglich), 'andere', count(*) FILTER (WHERE unmoeglich IS FALSE),
            'anbieter', ${someOf('CASE WHEN unmoeglich THEN anbieter END', MAX_NAMEN)},
            'agenten', ${someOf('CASE WHEN unmoeglich THEN agent END', MAX_NAMEN)}) AS werte,
          sum(kosten_eur) FILTER (WHERE unmoeglich) AS kosten_eur, NULL::numeric AS verbrannt_eur, NULL::numeric AS potential_eur
        FROM gelesen GROUP BY modell, beginn HAVING count(*) FILTER (WHERE unmoeglich) > 0`,
    ),
  trigger: null,
  preselect: null,
  reach: () => 0,
  calls: null,
};
