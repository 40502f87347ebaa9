-- expand: running sums of what is asked for at once alone (docs/decisions/0170).

-- By minute (48 hours) and hour (as long as rules need): all calls, each agent, and the values of `verbrauch_gefuehrt`.
CREATE TABLE verbrauch_laufend_minute (
  mandant_id    uuid NOT NULL,
  dimension     smallint NOT NULL,
  minute        timestamptz NOT NULL,
  merkmal_id    integer NOT NULL,
  aufrufe       bigint NOT NULL,
  fehler        bigint NOT NULL,
  unbepreist    bigint NOT NULL,
  geschaetzt    bigint NOT NULL,
  -- Input and output as sent.
  token         numeric NOT NULL,
  kosten_eur    numeric NOT NULL,
  -- Histograms, each in one number.
  latenz        numeric NOT NULL,
  erste_zeichen numeric NOT NULL,
  PRIMARY KEY (mandant_id, dimension, minute, merkmal_id)
) WITH (fillfactor = 70);

CREATE TABLE verbrauch_laufend_stunde (
  mandant_id    uuid NOT NULL,
  dimension     smallint NOT NULL,
  stunde        timestamptz NOT NULL,
  merkmal_id    integer NOT NULL,
  aufrufe       bigint NOT NULL,
  fehler        bigint NOT NULL,
  unbepreist    bigint NOT NULL,
  geschaetzt    bigint NOT NULL,
  token         numeric NOT NULL,
  kosten_eur    numeric NOT NULL,
  latenz        numeric NOT NULL,
  erste_zeichen numeric NOT NULL,
  PRIMARY KEY (mandant_id, dimension, stunde, merkmal_id)
) WITH (fillfactor = 70);

-- Values of other dimensions that have running sums, or are to have some.
CREATE TABLE verbrauch_gefuehrt (
  mandant_id   uuid NOT NULL,
  dimension    smallint NOT NULL,
  text         text NOT NULL,
  -- The mark up to which its sums were made; from then on counting adds to them. Null while they are still to be made.
  seit         bigint,
  -- When somebody asked for it last.
  gebraucht_am date NOT NULL,
  PRIMARY KEY (mandant_id, dimension, text)
);

DO $$
DECLARE
  tabelle text;
BEGIN
  FOREACH tabelle IN ARRAY ARRAY['verbrauch_laufend_minute', 'verbrauch_laufend_stunde', 'verbrauch_gefuehrt'] LOOP
    EXECUTE format('GRANT SELECT ON %I TO zaehlwerk_anfrage', tabelle);
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tabelle);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tabelle);
    EXECUTE format('CREATE POLICY mandant ON %I TO zaehlwerk_anfrage
      USING (mandant_id = nullif(current_setting(''zw.mandant'', true), '''')::uuid)
      WITH CHECK (mandant_id = nullif(current_setting(''zw.mandant'', true), '''')::uuid)', tabelle);
  END LOOP;
END $$;

-- Counts up with every change of which values have running sums: who counts by another choice begins anew.
ALTER TABLE zaehlstaende ADD COLUMN gefuehrt bigint NOT NULL DEFAULT 0;

-- As `aufbewahrung.stunden_entfernen` has it: what is older is not taken over.
UPDATE zaehlstaende z SET stunden_ab = greatest(z.stunden_ab, d.ab)
FROM (
  SELECT s.mandant_id, date_trunc('day', least(
    date_trunc('month', now(), 'UTC') - interval '3 months',
    now() - interval '3 days' - coalesce(max(r.zeitfenster::interval), interval '0')), 'UTC') AS ab
  FROM zaehlstaende s LEFT JOIN regeln r ON r.mandant_id = s.mandant_id AND r.zeitfenster ~ '^[1-9][0-9]*[mhd]$'
  GROUP BY s.mandant_id) AS d
WHERE z.mandant_id = d.mandant_id;

-- All calls and each agent as they were kept so far, what was kept call by call among it. Other values are made once they are asked for.
INSERT INTO verbrauch_laufend_minute
SELECT mandant_id, dimension, minute, merkmal_id, sum(aufrufe)::bigint, sum(fehler)::bigint, sum(unbepreist)::bigint,
  sum(geschaetzt)::bigint, sum(eingabe_token + ausgabe_token), sum(kosten_eur), sum(latenz), sum(erste_zeichen)
FROM (
  SELECT mandant_id, dimension, minute, merkmal_id, aufrufe, fehler, unbepreist, geschaetzt, eingabe_token, ausgabe_token,
    kosten_eur, latenz, erste_zeichen
  FROM verbrauch_minute WHERE dimension IN (0, 1)
  UNION ALL
  SELECT e.mandant_id, d.dimension::smallint, e.minute, d.merkmal_id, e.aufrufe, e.fehler, e.unbepreist, e.geschaetzt,
    e.eingabe_token, e.ausgabe_token, e.kosten_eur, e.latenz, e.erste_zeichen
  FROM verbrauch_einzeln e CROSS JOIN LATERAL (VALUES (0, 0), (1, e.agent)) AS d (dimension, merkmal_id)
  WHERE e.minute IS NOT NULL) AS beide
WHERE minute >= now() - interval '48 hours'
GROUP BY 1, 2, 3, 4;

INSERT INTO verbrauch_laufend_stunde
SELECT mandant_id, dimension, stunde, merkmal_id, sum(aufrufe)::bigint, sum(fehler)::bigint, sum(unbepreist)::bigint,
  sum(geschaetzt)::bigint, sum(eingabe_token + ausgabe_token), sum(kosten_eur), sum(latenz), sum(erste_zeichen)
FROM (
  SELECT mandant_id, dimension, stunde, merkmal_id, aufrufe, fehler, unbepreist, geschaetzt, eingabe_token, ausgabe_token,
    kosten_eur, latenz, erste_zeichen
  FROM verbrauch_stunde WHERE dimension IN (0, 1)
  UNION ALL
  SELECT e.mandant_id, d.dimension::smallint, e.stunde, d.merkmal_id, e.aufrufe, e.fehler, e.unbepreist, e.geschaetzt,
    e.eingabe_token, e.ausgabe_token, e.kosten_eur, e.latenz, e.erste_zeichen
  FROM verbrauch_einzeln e CROSS JOIN LATERAL (VALUES (0, 0), (1, e.agent)) AS d (dimension, merkmal_id)) AS beide
JOIN zaehlstaende z USING (mandant_id)
WHERE stunde >= z.stunden_ab
GROUP BY 1, 2, 3, 4;
