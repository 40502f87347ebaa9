-- Where the rate of a cost in EUR is from (docs/decisions/0064): what was converted at the substitute is marked, and summed up.
ALTER TABLE ereignisse ADD COLUMN ersatzkurs boolean NOT NULL DEFAULT false;
ALTER TABLE laeufe ADD COLUMN ersatz_eur numeric NOT NULL DEFAULT 0;

ALTER TABLE verbrauch_minute ADD COLUMN ersatz_eur numeric NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_stunde ADD COLUMN ersatz_eur numeric NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_tag ADD COLUMN ersatz_eur numeric NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_woche ADD COLUMN ersatz_eur numeric NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_einzeln ADD COLUMN ersatz_eur numeric NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_paar ADD COLUMN ersatz_eur numeric[] NOT NULL DEFAULT '{}';

-- Calls of the hour that were converted at this rate as the substitute, and the day the substitute is of.
ALTER TABLE verbrauch_kurs ADD COLUMN ersatz_aufrufe bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_kurs ADD COLUMN ersatz_tag date;

-- What was counted before: a rate that no reference rate of the day or before it has was the substitute. Its day nobody kept;
-- that of the default is known.
UPDATE verbrauch_kurs v SET ersatz_aufrufe = v.aufrufe, ersatz_tag = CASE WHEN v.kurs_usd_eur = 0.86 THEN date '2026-11-20' END
FROM mandanten m
WHERE m.mandant_id = v.mandant_id AND NOT EXISTS (
  SELECT FROM wechselkurse k
  WHERE round(k.usd_eur, 10) = v.kurs_usd_eur AND k.tag <= (v.stunde AT TIME ZONE m.zeitzone)::date);

CREATE TEMP TABLE ersatz_stunden ON COMMIT DROP AS
SELECT mandant_id, stunde, bool_and(ersatz_aufrufe > 0) AS nur_ersatz FROM verbrauch_kurs
GROUP BY mandant_id, stunde HAVING bool_or(ersatz_aufrufe > 0);
CREATE INDEX ON ersatz_stunden (mandant_id, stunde);

UPDATE ereignisse e SET ersatzkurs = true FROM verbrauch_kurs v
WHERE v.ersatz_aufrufe > 0 AND e.mandant_id = v.mandant_id AND e.kurs_usd_eur = v.kurs_usd_eur
  AND e.zeitpunkt >= v.stunde AND e.zeitpunkt < v.stunde + interval '1 hour';

UPDATE laeufe l SET ersatz_eur = n.eur
FROM (SELECT mandant_id, lauf_id, sum(kosten_eur) AS eur FROM ereignisse
  WHERE ersatzkurs AND lauf_id IS NOT NULL AND kosten_eur IS NOT NULL GROUP BY 1, 2) AS n
WHERE l.mandant_id = n.mandant_id AND l.lauf_id = n.lauf_id;

UPDATE verbrauch_einzeln e SET ersatz_eur = e.kosten_eur FROM verbrauch_kurs v
WHERE v.ersatz_aufrufe > 0 AND v.mandant_id = e.mandant_id AND v.stunde = e.stunde
  AND e.kosten_eur = e.kosten_usd * v.kurs_usd_eur;

-- Hours in which nothing but the substitute was used.
UPDATE verbrauch_stunde v SET ersatz_eur = v.kosten_eur FROM ersatz_stunden s
WHERE s.nur_ersatz AND s.mandant_id = v.mandant_id AND s.stunde = v.stunde;

-- The few hours with both, from their events, without the calls that are in no sum yet.
CREATE TEMP TABLE ersatz_anteile ON COMMIT DROP AS
SELECT e.mandant_id, s.stunde, date_trunc('minute', e.zeitpunkt) AS minute, d.dimension, coalesce(w.merkmal_id, 0) AS merkmal_id,
  e.kosten_eur AS eur
FROM ersatz_stunden s
JOIN ereignisse e ON e.mandant_id = s.mandant_id AND e.zeitpunkt >= s.stunde AND e.zeitpunkt < s.stunde + interval '1 hour'
CROSS JOIN LATERAL (VALUES (0, ''), (1, e.agent), (2, e.projekt), (3, e.endkunde_ref), (4, e.anbieter), (5, e.modell),
  (6, e.funktion_ref), (7, e.benutzer_ref)) AS d (dimension, text)
LEFT JOIN merkmale w ON w.mandant_id = e.mandant_id AND w.dimension = d.dimension AND w.text = coalesce(d.text, '') AND d.dimension > 0
WHERE NOT s.nur_ersatz AND e.ersatzkurs AND e.kosten_eur IS NOT NULL
UNION ALL
SELECT e.mandant_id, s.stunde, e.minute, d.dimension, d.merkmal_id, -e.ersatz_eur
FROM ersatz_stunden s
JOIN verbrauch_einzeln e ON e.mandant_id = s.mandant_id AND e.stunde = s.stunde
CROSS JOIN LATERAL (VALUES (0, 0), (1, e.agent), (2, e.projekt), (3, e.endkunde), (4, e.anbieter), (5, e.modell),
  (6, e.funktion), (7, e.benutzer)) AS d (dimension, merkmal_id)
WHERE NOT s.nur_ersatz;

UPDATE verbrauch_stunde v SET ersatz_eur = n.eur
FROM (SELECT mandant_id, stunde, dimension, merkmal_id, sum(eur) AS eur FROM ersatz_anteile GROUP BY 1, 2, 3, 4) AS n
WHERE v.mandant_id = n.mandant_id AND v.stunde = n.stunde AND v.dimension = n.dimension AND v.merkmal_id = n.merkmal_id;

UPDATE verbrauch_minute v SET ersatz_eur = v.kosten_eur FROM ersatz_stunden s
WHERE s.nur_ersatz AND s.mandant_id = v.mandant_id AND v.minute >= s.stunde AND v.minute < s.stunde + interval '1 hour';
UPDATE verbrauch_minute v SET ersatz_eur = n.eur
FROM (SELECT mandant_id, minute, dimension, merkmal_id, sum(eur) AS eur FROM ersatz_anteile GROUP BY 1, 2, 3, 4) AS n
WHERE v.mandant_id = n.mandant_id AND v.minute = n.minute AND v.dimension = n.dimension AND v.merkmal_id = n.merkmal_id;

-- Days and weeks are what their hours add up to.
UPDATE verbrauch_tag v SET ersatz_eur = n.eur
FROM (SELECT s.mandant_id, (s.stunde AT TIME ZONE m.zeitzone)::date AS tag, s.dimension, s.merkmal_id, sum(s.ersatz_eur) AS eur
  FROM verbrauch_stunde s JOIN mandanten m USING (mandant_id) WHERE s.ersatz_eur <> 0 GROUP BY 1, 2, 3, 4) AS n
WHERE v.mandant_id = n.mandant_id AND v.tag = n.tag AND v.dimension = n.dimension AND v.merkmal_id = n.merkmal_id;
UPDATE verbrauch_woche v SET ersatz_eur = n.eur
FROM (SELECT mandant_id, date_trunc('week', tag)::date AS woche, dimension, merkmal_id, sum(ersatz_eur) AS eur
  FROM verbrauch_tag WHERE ersatz_eur <> 0 GROUP BY 1, 2, 3, 4) AS n
WHERE v.mandant_id = n.mandant_id AND v.woche = n.woche AND v.dimension = n.dimension AND v.merkmal_id = n.merkmal_id;

-- As long as the other lists of its row. Days in which the substitute was used are condensed anew.
UPDATE verbrauch_paar SET ersatz_eur = array_fill(0::numeric, ARRAY[cardinality(andere)]) WHERE cardinality(andere) > 0;
UPDATE verbrauch_tagesstand t SET geaendert = t.geaendert + 1
FROM (SELECT DISTINCT s.mandant_id, (s.stunde AT TIME ZONE m.zeitzone)::date AS tag
  FROM ersatz_stunden s JOIN mandanten m USING (mandant_id)) AS n
WHERE t.mandant_id = n.mandant_id AND t.tag = n.tag;

-- Whether calls that were converted at the substitute may get the reference rate of their day later.
ALTER TABLE mandanten ADD COLUMN ersatzkurs_ersetzen boolean NOT NULL DEFAULT false;
