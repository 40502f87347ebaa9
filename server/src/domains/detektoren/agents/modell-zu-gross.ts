import { MAX_NAMEN } from '#contracts';
import { someOf } from '../calls/statement.ts';
import type { Detector } from '../detector.ts';
import { findByDay } from './days.ts';

/**
 * Functions most of whose calls in a local day are small and plain, so that an allowed model would do for a fraction. Compared is
 * what the small calls with a known price cost with what they would have cost by the price list; the cheapest allowed model counts.
 */
export const modellZuGross: Detector<'modell_zu_gross'> = {
  needs: 'preise',
  find: (look, regel) =>
    findByDay(look, regel, 'funktion', (values) => {
      const {
        erlaubt,
        anteil_prozent: percent,
        ausgabe_token,
        eingabe_token,
        preis_teiler,
      } = regel.parameter;
      return `
        gewertet AS NOT MATERIALIZED (SELECT *, NOT failed AND coalesce(ausgabe <= ${values.of(ausgabe_token, 'bigint')}, false)
          AND eingabe <= ${values.of(eingabe_token, 'bigint')} AND denk = 0 AND werkzeuge = 0 AS klein
          FROM tage WHERE coalesce(funktion_ref, '') <> ''),
        funktionen AS (SELECT funktion_ref, beginn, count(*) AS aufrufe, count(*) FILTER (WHERE klein) AS kleine,
            max(zeitpunkt) AS ende, sum(kosten_eur) FILTER (WHERE klein) AS kosten
          FROM gewertet GROUP BY funktion_ref, beginn
          HAVING count(*) >= ${values.of(regel.schwelle, 'numeric')}
            AND count(*) FILTER (WHERE klein) * 100 >= count(*) * ${values.of(percent, 'integer')}
            AND sum(kosten_eur) FILTER (WHERE klein) > 0),
        ersatz AS (SELECT g.funktion_ref, g.beginn, p.modell,
            sum((p.aufruf + g.ohne_cache * p.eingabe + g.lese * p.lesen + (g.eingabe - g.ohne_cache - g.lese) * p.schreiben
              + g.ausgabe * p.ausgabe) * g.kurs) AS kosten
          FROM gewertet g JOIN funktionen USING (funktion_ref, beginn)
          JOIN detektoren_preise p ON p.anbieter = '' AND p.modell = ANY(${values.of(erlaubt, 'text[]')})
            AND p.von <= g.zeitpunkt AND g.zeitpunkt < p.bis AND p.ab < g.eingabe AND g.eingabe <= p.hoechstens
          WHERE g.klein AND g.kosten_eur IS NOT NULL
          GROUP BY g.funktion_ref, g.beginn, p.modell
          HAVING bool_and(p.eingabe IS NOT NULL AND p.lesen IS NOT NULL AND p.schreiben IS NOT NULL AND p.ausgabe IS NOT NULL)),
        billigster AS (SELECT DISTINCT ON (funktion_ref, beginn) funktion_ref, beginn, modell AS ersatz, kosten FROM ersatz
          ORDER BY funktion_ref, beginn, kosten, modell),
        namen AS (SELECT funktion_ref, beginn, ${someOf('g.modell', MAX_NAMEN)} AS modelle
          FROM gewertet g JOIN billigster USING (funktion_ref, beginn) GROUP BY funktion_ref, beginn)
        SELECT f.funktion_ref AS objekt, NULL AS agent, NULL::uuid AS lauf, f.beginn, f.ende,
          jsonb_build_object('aufrufe', f.aufrufe, 'kleine', f.kleine, 'modelle', n.modelle, 'ersatz', b.ersatz,
            'ersatz_eur', trim_scale(b.kosten)::text) AS werte,
          f.kosten AS kosten_eur, NULL::numeric AS verbrannt_eur, f.kosten - b.kosten AS potential_eur
        FROM funktionen f JOIN billigster b USING (funktion_ref, beginn) JOIN namen n USING (funktion_ref, beginn)
        WHERE b.kosten * ${values.of(preis_teiler, 'integer')} <= f.kosten`;
    }),
};
