import { MAX_LAEUFE, MAX_NAMEN } from '#contracts';
import { someOf } from '../calls/statement.ts';
import type { Detector } from '../detector.ts';
import { findByDay } from './days.ts';

const SAME = 'beginn, agent, prompt, eingabe, modell';

/** The same successful call in several runs of a local day; all but the first could be saved. A finding is about an agent's. */
export const duplikat: Detector<'duplikat'> = {
  needs: 'aufrufe',
  find: (look, regel) =>
    findByDay(
      look,
      regel,
      'agent',
      (values) => `
        erfolgreich AS NOT MATERIALIZED (SELECT * FROM tage WHERE NOT failed AND prompt IS NOT NULL AND lauf_id IS NOT NULL),
        haeufig AS (SELECT prompt FROM erfolgreich GROUP BY prompt HAVING count(*) >= ${values.of(regel.schwelle, 'numeric')}),
        mehrfach AS (SELECT ${SAME} FROM erfolgreich JOIN haeufig USING (prompt) GROUP BY ${SAME}
          HAVING count(DISTINCT lauf_id) >= ${values.of(regel.schwelle, 'numeric')}),
        gezaehlt AS (SELECT e.*, row_number() OVER (PARTITION BY ${SAME} ORDER BY zeitpunkt, ereignis_id) AS platz
          FROM erfolgreich e JOIN mehrfach USING (${SAME}))
        SELECT agent AS objekt, agent, NULL::uuid AS lauf, beginn, max(zeitpunkt) AS ende,
          jsonb_build_object('gruppen', count(*) FILTER (WHERE platz = 1), 'aufrufe', count(*),
            'modelle', ${someOf('modell', MAX_NAMEN)}, 'laeufe', ${someOf('lauf_id', MAX_LAEUFE)},
            'laeufe_anzahl', count(DISTINCT lauf_id)) AS werte,
          sum(kosten_eur) AS kosten_eur, NULL::numeric AS verbrannt_eur,
          sum(kosten_eur) FILTER (WHERE platz > 1) AS potential_eur
        FROM gezaehlt GROUP BY agent, beginn`,
    ),
};
