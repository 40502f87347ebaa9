-- expand: what the calls of each local day add up to stands with how often it changed (docs/decisions/0165).

ALTER TABLE verbrauch_tagesstand ADD COLUMN aufrufe bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_tagesstand ADD COLUMN unbepreist bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_tagesstand ADD COLUMN aufgeteilt bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_tagesstand ADD COLUMN kosten_eur numeric NOT NULL DEFAULT 0;

-- Of what is counted already. What the former release counts beside this one is added later, with its pieces.
UPDATE verbrauch_tagesstand t
SET aufrufe = s.aufrufe, unbepreist = s.unbepreist, aufgeteilt = s.aufgeteilt, kosten_eur = s.kosten_eur
FROM (
  SELECT mandant_id, tag, sum(aufrufe)::bigint AS aufrufe, sum(unbepreist)::bigint AS unbepreist,
    sum(aufgeteilt)::bigint AS aufgeteilt, sum(kosten_eur) AS kosten_eur
  FROM (
    SELECT mandant_id, tag, aufrufe, unbepreist, aufgeteilt, kosten_eur FROM verbrauch_tag
    WHERE dimension = 0 AND merkmal_id = 0
    UNION ALL SELECT mandant_id, tag, aufrufe, unbepreist, aufgeteilt, kosten_eur FROM verbrauch_einzeln) AS beide
  GROUP BY mandant_id, tag) AS s
WHERE t.mandant_id = s.mandant_id AND t.tag = s.tag;

-- Sums by the hour that begin before it are removed; null: none are.
ALTER TABLE zaehlstaende ADD COLUMN stunden_ab timestamptz;
