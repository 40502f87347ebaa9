import { MAX_NAMEN } from '#contracts';
import type { Regel } from '#domains/regeln/index.ts';
import { someOf, type Values } from '../calls/statement.ts';
import type { CallDetector } from '../detector.ts';
import { callsByDay, findByDay } from './days.ts';

/** What a call `g` would have cost at the rates `p` of another model, and which of these apply to it. */
const INSTEAD = `(p.aufruf + g.ohne_cache * p.eingabe + g.lese * p.lesen + (g.eingabe - g.ohne_cache - g.lese) * p.schreiben
  + g.ausgabe * p.ausgabe) * g.kurs`;
const APPLIES =
  'p.von <= g.zeitpunkt AND g.zeitpunkt < p.bis AND p.ab < g.eingabe AND g.eingabe <= p.hoechstens';

/** Whether the model of the rates `p` may stand for that of the call `g`: the rule says so, or where it names none, the price book. */
const mayReplace = (erlaubt: readonly string[], values: Values) =>
  erlaubt.length > 0
    ? `p.modell = ANY(${values.of(erlaubt, 'text[]')})`
    : 'EXISTS (SELECT FROM detektoren_ersatz e WHERE e.ersatz = p.modell AND g.modell ILIKE e.muster)';

/** Parts of a WITH over `tage`: the calls judged, the functions with enough small ones, the cheapest replacement of each. */
function functions({ schwelle, parameter }: Regel<'modell_zu_gross'>, values: Values): string {
  const { erlaubt, anteil_prozent: percent, ausgabe_token, eingabe_token } = parameter;
  return `
    gewertet AS NOT MATERIALIZED (SELECT *, NOT failed AND coalesce(ausgabe <= ${values.of(ausgabe_token, 'bigint')}, false)
      AND eingabe <= ${values.of(eingabe_token, 'bigint')} AND denk = 0 AND werkzeuge = 0 AS klein
      FROM tage WHERE coalesce(funktion_ref, '') <> ''),
    funktionen AS (SELECT funktion_ref, beginn, count(*) AS aufrufe, count(*) FILTER (WHERE klein) AS kleine,
        max(zeitpunkt) AS ende, sum(kosten_eur) FILTER (WHERE klein) AS kosten,
        count(kosten_eur) FILTER (WHERE klein) AS bepreiste
      FROM gewertet GROUP BY funktion_ref, beginn
      HAVING count(*) >= ${values.of(schwelle, 'numeric')}
        AND count(*) FILTER (WHERE klein) * 100 >= count(*) * ${values.of(percent, 'integer')}
        AND sum(kosten_eur) FILTER (WHERE klein) > 0),
    ersatz AS (SELECT g.funktion_ref, g.beginn, p.modell,
        sum(${INSTEAD}) AS kosten
      FROM gewertet g JOIN funktionen USING (funktion_ref, beginn)
      JOIN detektoren_preise p ON p.anbieter = '' AND ${mayReplace(erlaubt, values)} AND ${APPLIES}
      WHERE g.klein AND g.kosten_eur IS NOT NULL
      GROUP BY g.funktion_ref, g.beginn, p.modell
      HAVING count(*) = max(bepreiste) AND bool_and(p.eingabe IS NOT NULL AND p.lesen IS NOT NULL AND p.schreiben IS NOT NULL AND p.ausgabe IS NOT NULL)),
    billigster AS (SELECT DISTINCT ON (funktion_ref, beginn) funktion_ref, beginn, modell AS ersatz, kosten FROM ersatz
      ORDER BY funktion_ref, beginn, kosten, modell)`;
}

/** Only where the replacement costs a fraction. */
const worthwhile = ({ parameter }: Regel<'modell_zu_gross'>, values: Values) =>
  `b.kosten * ${values.of(parameter.preis_teiler, 'integer')} <= f.kosten`;

/**
 * Functions most of whose calls in a local day are small and plain, so that an allowed model would do for a fraction. Compared is
 * what the small calls with a known price cost with what they would have cost by the Mandant's prices; the cheapest model that may
 * stand for all of them counts.
 */
export const modellZuGross: CallDetector<'modell_zu_gross'> = {
  needsPrices: true,
  find: (look, regel) =>
    findByDay(
      look,
      regel,
      'funktion',
      (values) => `${functions(regel, values)},
        namen AS (SELECT funktion_ref, beginn, ${someOf('g.modell', MAX_NAMEN)} AS modelle
          FROM gewertet g JOIN billigster USING (funktion_ref, beginn) GROUP BY funktion_ref, beginn)
        SELECT f.funktion_ref AS objekt, NULL AS agent, NULL::uuid AS lauf, f.beginn, f.ende,
          jsonb_build_object('aufrufe', f.aufrufe, 'kleine', f.kleine, 'modelle', n.modelle, 'ersatz', b.ersatz,
            'ersatz_eur', trim_scale(b.kosten)::text) AS werte,
          f.kosten AS kosten_eur, NULL::numeric AS verbrannt_eur, f.kosten - b.kosten AS potential_eur
        FROM funktionen f JOIN billigster b USING (funktion_ref, beginn) JOIN namen n USING (funktion_ref, beginn)
        WHERE ${worthwhile(regel, values)}`,
    ),
  trigger: null,
  preselect: null,
  reach: () => 0,
  calls: (look, regel) =>
    callsByDay(
      look,
      regel,
      (values) => `${functions(regel, values)}
        SELECT g.funktion_ref AS objekt, g.beginn, g.ereignis_id, g.zeitpunkt, g.agent, g.kosten_eur,
          g.kosten_eur - ${INSTEAD} AS eur
        FROM gewertet g JOIN funktionen f USING (funktion_ref, beginn) JOIN billigster b USING (funktion_ref, beginn)
        JOIN detektoren_preise p ON p.anbieter = '' AND p.modell = b.ersatz AND ${APPLIES}
        WHERE g.klein AND g.kosten_eur IS NOT NULL AND ${worthwhile(regel, values)}`,
    ),
};
