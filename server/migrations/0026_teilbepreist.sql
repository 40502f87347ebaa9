-- Calls of which only a part has a price (docs/decisions/0062). What was counted before is none: nobody looked.
ALTER TABLE ereignisse ADD COLUMN teilbepreist boolean NOT NULL DEFAULT false;
ALTER TABLE laeufe ADD COLUMN teilbepreist bigint NOT NULL DEFAULT 0;

ALTER TABLE verbrauch_minute ADD COLUMN teilbepreist bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_stunde ADD COLUMN teilbepreist bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_tag ADD COLUMN teilbepreist bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_woche ADD COLUMN teilbepreist bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_einzeln ADD COLUMN teilbepreist bigint NOT NULL DEFAULT 0;

-- As long as the other lists of its row.
ALTER TABLE verbrauch_paar ADD COLUMN teilbepreist bigint[] NOT NULL DEFAULT '{}';
UPDATE verbrauch_paar SET teilbepreist = array_fill(0::bigint, ARRAY[cardinality(andere)]) WHERE cardinality(andere) > 0;
