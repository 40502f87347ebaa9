-- expand: what a month was closed by goes with it (docs/decisions/0130).

-- Which references counted for another one, by that one; null where a former release has closed the month.
ALTER TABLE abrechnungsmonate ADD COLUMN zuordnung json;
-- Whether lines say what each reference has of them (`anteile`), which a former release does not.
ALTER TABLE abrechnungsmonate ADD COLUMN anteile_bekannt boolean NOT NULL DEFAULT false;
-- The settings of accounting, and how statements present who sends them: as they were then; null where that was not kept.
ALTER TABLE abrechnungsmonate ADD COLUMN buchhaltung json;
ALTER TABLE abrechnungsmonate ADD COLUMN absender json;
ALTER TABLE abrechnungsmonate ADD COLUMN logo bytea;
GRANT UPDATE (buchhaltung) ON abrechnungsmonate TO zaehlwerk_anfrage;

-- Who is charged, where that is not the reference itself.
ALTER TABLE abrechnungszeilen ADD COLUMN zahler text COLLATE "C";
-- What each reference has of the line, where that is not the reference of the line alone.
ALTER TABLE abrechnungszeilen ADD COLUMN anteile json;
-- Name, cost centre and account for bookkeeping, corrected after closing.
ALTER TABLE abrechnungszeilen ADD COLUMN berichtigung json;
GRANT UPDATE (berichtigung) ON abrechnungszeilen TO zaehlwerk_anfrage;

-- Of months that are closed already: a reference with a line stood for itself, others count as they do now. What was merged when a
-- month was closed and is separated by now cannot be known.
UPDATE abrechnungsmonate m SET zuordnung = s.zuordnung
FROM (
  SELECT a.mandant_id, a.monat, json_object_agg(e.referenz, z.referenz) AS zuordnung
  FROM abrechnungsmonate a
  JOIN endkunden e ON e.mandant_id = a.mandant_id
  JOIN endkunden z ON z.mandant_id = e.mandant_id AND z.endkunde_id = e.gehoert_zu
  LEFT JOIN abrechnungszeilen l ON l.mandant_id = a.mandant_id AND l.monat = a.monat AND l.bezug = a.monat AND l.referenz = e.referenz
  WHERE l.referenz IS NULL
  GROUP BY a.mandant_id, a.monat
) s
WHERE m.mandant_id = s.mandant_id AND m.monat = s.monat;
