import { MAX_LAEUFE, MAX_NAMEN } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import { bits } from '../calls/columns.ts';
import { createValues, notExcepted, scopeOf, someOf } from '../calls/statement.ts';
import type { CallDetector, Look } from '../detector.ts';
import { findByDay } from './days.ts';

const SAME = 'beginn, prompt, werkzeug, eingabe, modell';

/** Prompts (fingerprints, hexadecimal) of as many calls of the look as a duplicate has runs at least. */
async function findRepeated(look: Look, regel: Regel<'duplikat'>): Promise<string[]> {
  const values = createValues();
  const { rows } = await look.client.query<{ prompt: string }>(
    `SELECT encode(e.prompt_fingerabdruck, 'hex') AS prompt FROM ereignisse e
     WHERE e.mandant_id = ${values.of(look.mandant, 'uuid')} AND e.zeitpunkt >= ${values.of(look.von.toString(), 'timestamptz')}
       AND e.zeitpunkt < ${values.of(look.bis.toString(), 'timestamptz')} AND e.lauf_id IS NOT NULL
       AND e.prompt_fingerabdruck IS NOT NULL AND ${scopeOf(regel, 'e', values)}
     GROUP BY e.prompt_fingerabdruck HAVING count(*) >= ${values.of(regel.schwelle, 'numeric')}`,
    values.all,
  );
  return rows.map(({ prompt }) => prompt);
}

/**
 * The same successful call in several runs of a local day, each shortly after another, whatever their agents; all but the first could be
 * saved. A finding is about an agent's.
 */
export const duplikat: CallDetector<'duplikat'> = {
  needsPrices: false,
  find: (look, regel) =>
    findByDay(
      look,
      regel,
      'agent',
      // As numbers a million prompts fit into the memory of the statement.
      (values) => `
        erfolgreich AS NOT MATERIALIZED (SELECT t.*, ${bits('prompt')} AS zahl FROM tage t
          WHERE NOT failed AND prompt IS NOT NULL AND lauf_id IS NOT NULL AND ${notExcepted(regel, 't', values)}),
        haeufig AS MATERIALIZED (SELECT zahl FROM erfolgreich GROUP BY zahl HAVING count(*) >= ${values.of(regel.schwelle, 'numeric')}),
        fraglich AS MATERIALIZED (SELECT ${SAME}, agent, zeitpunkt, ereignis_id, lauf_id, kosten_eur,
            zeitpunkt - lag(zeitpunkt) OVER w AS seit, lead(zeitpunkt) OVER w - zeitpunkt AS bis_dann
          FROM erfolgreich JOIN haeufig USING (zahl)
          WINDOW w AS (PARTITION BY ${SAME} ORDER BY zeitpunkt, ereignis_id)),
        dicht AS MATERIALIZED (SELECT * FROM fraglich
          WHERE least(seit, bis_dann) <= ${values.of(regel.parameter.abstand_sekunden, 'integer')} * interval '1 second'),
        mehrfach AS MATERIALIZED (SELECT ${SAME} FROM dicht GROUP BY ${SAME}
          HAVING count(DISTINCT lauf_id) >= ${values.of(regel.schwelle, 'numeric')}),
        gezaehlt AS (SELECT d.*, row_number() OVER (PARTITION BY d.beginn, d.prompt, d.werkzeug, d.eingabe, d.modell
            ORDER BY zeitpunkt, ereignis_id) AS platz
          FROM dicht d JOIN mehrfach m ON (d.beginn, d.prompt, d.eingabe, d.modell) = (m.beginn, m.prompt, m.eingabe, m.modell)
            AND d.werkzeug IS NOT DISTINCT FROM m.werkzeug)
        SELECT agent AS objekt, agent, NULL::uuid AS lauf, beginn, max(zeitpunkt) AS ende,
          jsonb_build_object('gruppen', count(DISTINCT (prompt, werkzeug, eingabe, modell)), 'aufrufe', count(*),
            'modelle', ${someOf('modell', MAX_NAMEN)}, 'laeufe', ${someOf('lauf_id', MAX_LAEUFE)},
            'laeufe_anzahl', count(DISTINCT lauf_id)) AS werte,
          sum(kosten_eur) AS kosten_eur, NULL::numeric AS verbrannt_eur,
          sum(kosten_eur) FILTER (WHERE platz > 1) AS potential_eur
        FROM gezaehlt GROUP BY agent, beginn`,
    ),
  trigger: null,
  preselect: findRepeated,
  reach: () => 0,
  calls: null,
};
