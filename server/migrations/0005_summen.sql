-- Sums that grow with the number of agents, customers, models … and not with the product of them (docs/decisions/0029):
-- by minute, hour, day and week for each value of each dimension and in total; texts once.

-- Every value of a dimension that a Mandant's events ever named. '' is "none". Numbers are given by counting, under its lock.
CREATE TABLE merkmale (
  mandant_id uuid NOT NULL,
  merkmal_id integer NOT NULL,
  -- Number of the dimension (contracts/rollup.ts).
  dimension  smallint NOT NULL,
  text       text COLLATE "C" NOT NULL,
  PRIMARY KEY (mandant_id, merkmal_id),
  UNIQUE (mandant_id, dimension, text)
);

-- `merkmale_marke` changes with every change of `merkmale`: who remembers numbers knows by it whether they still hold.
ALTER TABLE zaehlstaende ADD COLUMN merkmale_anzahl integer NOT NULL DEFAULT 0;
ALTER TABLE zaehlstaende ADD COLUMN merkmale_marke uuid;

-- Dimension 0 with merkmal_id 0 is the total. Costs are those of the calls with a known price (aufrufe - unbepreist of them).
-- `latenz` and `erste_zeichen` are histograms in one number, twelve decimal digits a step: they add up like any sum.
CREATE TABLE verbrauch_minute (
  mandant_id           uuid NOT NULL,
  dimension            smallint NOT NULL,
  minute               timestamptz NOT NULL,
  merkmal_id           integer NOT NULL,
  aufrufe              bigint NOT NULL,
  fehler               bigint NOT NULL,
  unbepreist           bigint NOT NULL,
  geschaetzt           bigint NOT NULL,
  eingabe_token        numeric NOT NULL,
  ausgabe_token        numeric NOT NULL,
  cache_lese_token     numeric NOT NULL,
  cache_schreib_token  numeric NOT NULL,
  denk_token           numeric NOT NULL,
  kosten_usd           numeric NOT NULL,
  kosten_eur           numeric NOT NULL,
  geschaetzt_eur       numeric NOT NULL,
  verbranntes_geld_eur numeric NOT NULL,
  latenz               numeric NOT NULL,
  erste_zeichen        numeric NOT NULL,
  PRIMARY KEY (mandant_id, dimension, minute, merkmal_id)
) WITH (fillfactor = 70);

DROP TABLE verbrauch_stunde;
DROP TABLE verbrauch_tag;

-- `stunde` is the instant an hour of the Mandant's time zone begins, `tag` the local day, `woche` the Monday of its week.
CREATE TABLE verbrauch_stunde (LIKE verbrauch_minute INCLUDING ALL) WITH (fillfactor = 70);
ALTER TABLE verbrauch_stunde RENAME COLUMN minute TO stunde;
CREATE TABLE verbrauch_tag (LIKE verbrauch_minute INCLUDING ALL) WITH (fillfactor = 70);
ALTER TABLE verbrauch_tag RENAME COLUMN minute TO tag;
ALTER TABLE verbrauch_tag ALTER COLUMN tag TYPE date USING NULL;
CREATE TABLE verbrauch_woche (LIKE verbrauch_tag INCLUDING ALL) WITH (fillfactor = 70);
ALTER TABLE verbrauch_woche RENAME COLUMN tag TO woche;

-- The rates an hour's cost was converted at: calls and USD per rate.
CREATE TABLE verbrauch_kurs (
  mandant_id   uuid NOT NULL,
  stunde       timestamptz NOT NULL,
  kurs_usd_eur numeric NOT NULL,
  aufrufe      bigint NOT NULL,
  kosten_usd   numeric NOT NULL,
  PRIMARY KEY (mandant_id, stunde, kurs_usd_eur)
);

-- How often counting has changed a local day, and at which of these states its pairs were made; unequal, they are not used.
CREATE TABLE verbrauch_tagesstand (
  mandant_id uuid NOT NULL,
  tag        date NOT NULL,
  geaendert  bigint NOT NULL,
  geaendert_am timestamptz NOT NULL DEFAULT now(),
  verdichtet bigint,
  PRIMARY KEY (mandant_id, tag)
);

-- Sums of two dimensions at once, for days nobody adds to any more: all values of dimension `nach` (`andere`) that occur
-- together with one value (`merkmal_id`) of another dimension, by the same position in each list. Made by a job.
CREATE TABLE verbrauch_paar (
  mandant_id           uuid NOT NULL,
  merkmal_id           integer NOT NULL,
  nach                 smallint NOT NULL,
  tag                  date NOT NULL,
  andere               integer[] NOT NULL,
  aufrufe              bigint[] NOT NULL,
  fehler               bigint[] NOT NULL,
  unbepreist           bigint[] NOT NULL,
  geschaetzt           bigint[] NOT NULL,
  eingabe_token        numeric[] NOT NULL,
  ausgabe_token        numeric[] NOT NULL,
  cache_lese_token     numeric[] NOT NULL,
  cache_schreib_token  numeric[] NOT NULL,
  denk_token           numeric[] NOT NULL,
  kosten_usd           numeric[] NOT NULL,
  kosten_eur           numeric[] NOT NULL,
  geschaetzt_eur       numeric[] NOT NULL,
  verbranntes_geld_eur numeric[] NOT NULL,
  PRIMARY KEY (mandant_id, merkmal_id, nach, tag)
) WITH (toast_tuple_target = 256);

-- ── what was counted before ─────────────────────────────────────────────────────────────────────────────────

INSERT INTO merkmale (mandant_id, merkmal_id, dimension, text)
SELECT mandant_id, row_number() OVER (PARTITION BY mandant_id ORDER BY dimension, text), dimension, text
FROM (
  SELECT DISTINCT e.mandant_id, d.dimension, d.text COLLATE "C" AS text
  FROM ereignisse e CROSS JOIN LATERAL (VALUES
    (1, e.agent), (2, e.projekt), (3, coalesce(e.endkunde_ref, '')), (4, coalesce(e.anbieter, '')),
    (5, coalesce(e.modell, '')), (6, coalesce(e.funktion_ref, '')), (7, coalesce(e.benutzer_ref, ''))
  ) AS d (dimension, text)) AS namen;

UPDATE zaehlstaende z SET merkmale_marke = gen_random_uuid(), merkmale_anzahl = neu.anzahl
FROM (SELECT mandant_id, max(merkmal_id) AS anzahl FROM merkmale GROUP BY mandant_id) AS neu
WHERE z.mandant_id = neu.mandant_id;

INSERT INTO verbrauch_stunde
SELECT e.mandant_id, d.dimension, date_trunc('hour', e.zeitpunkt, m.zeitzone), coalesce(k.merkmal_id, 0),
  count(*), count(*) FILTER (WHERE e.status <> 'erfolgreich'), count(*) FILTER (WHERE e.kosten_usd IS NULL),
  count(*) FILTER (WHERE e.geschaetzt), coalesce(sum(e.eingabe_token), 0), coalesce(sum(e.ausgabe_token), 0),
  coalesce(sum(e.cache_lese_token), 0), coalesce(sum(e.cache_schreib_token), 0), coalesce(sum(e.denk_token), 0),
  coalesce(sum(e.kosten_usd), 0), coalesce(sum(e.kosten_eur), 0),
  coalesce(sum(e.kosten_eur) FILTER (WHERE e.geschaetzt), 0),
  coalesce(sum(e.kosten_eur) FILTER (WHERE e.status <> 'erfolgreich'), 0),
  coalesce(sum(('1e' || 12 * width_bucket(e.latenz_ms, s.grenzen))::numeric), 0),
  coalesce(sum(('1e' || 12 * width_bucket(e.erste_zeichen_ms, s.grenzen))::numeric), 0)
FROM ereignisse e
JOIN mandanten m USING (mandant_id)
CROSS JOIN (SELECT array_agg(round(16 * power(2::numeric, i / 2.0))::bigint ORDER BY i) AS grenzen
            FROM generate_series(0, 36) AS i) AS s
CROSS JOIN LATERAL (VALUES
  (0, ''), (1, e.agent), (2, e.projekt), (3, coalesce(e.endkunde_ref, '')), (4, coalesce(e.anbieter, '')),
  (5, coalesce(e.modell, '')), (6, coalesce(e.funktion_ref, '')), (7, coalesce(e.benutzer_ref, ''))
) AS d (dimension, text)
LEFT JOIN merkmale k ON k.mandant_id = e.mandant_id AND k.dimension = d.dimension AND k.text = d.text COLLATE "C"
GROUP BY 1, 2, 3, 4;

INSERT INTO verbrauch_tag
SELECT v.mandant_id, dimension, (stunde AT TIME ZONE m.zeitzone)::date, merkmal_id, sum(aufrufe), sum(fehler),
  sum(unbepreist), sum(geschaetzt), sum(eingabe_token), sum(ausgabe_token), sum(cache_lese_token),
  sum(cache_schreib_token), sum(denk_token), sum(kosten_usd), sum(kosten_eur), sum(geschaetzt_eur),
  sum(verbranntes_geld_eur), sum(latenz), sum(erste_zeichen)
FROM verbrauch_stunde v JOIN mandanten m USING (mandant_id) GROUP BY 1, 2, 3, 4;

INSERT INTO verbrauch_woche
SELECT mandant_id, dimension, date_trunc('week', tag)::date, merkmal_id, sum(aufrufe), sum(fehler),
  sum(unbepreist), sum(geschaetzt), sum(eingabe_token), sum(ausgabe_token), sum(cache_lese_token),
  sum(cache_schreib_token), sum(denk_token), sum(kosten_usd), sum(kosten_eur), sum(geschaetzt_eur),
  sum(verbranntes_geld_eur), sum(latenz), sum(erste_zeichen)
FROM verbrauch_tag GROUP BY 1, 2, 3, 4;

INSERT INTO verbrauch_kurs
SELECT e.mandant_id, date_trunc('hour', e.zeitpunkt, m.zeitzone), e.kurs_usd_eur, count(*), coalesce(sum(e.kosten_usd), 0)
FROM ereignisse e JOIN mandanten m USING (mandant_id) GROUP BY 1, 2, 3;

INSERT INTO verbrauch_tagesstand (mandant_id, tag, geaendert)
SELECT mandant_id, tag, 1 FROM verbrauch_tag WHERE dimension = 0;

-- ── isolation ───────────────────────────────────────────────────────────────────────────────────────────────

DO $$
DECLARE
  tabelle text;
BEGIN
  FOREACH tabelle IN ARRAY ARRAY['merkmale', 'verbrauch_minute', 'verbrauch_stunde', 'verbrauch_tag', 'verbrauch_woche',
                                 'verbrauch_kurs', 'verbrauch_tagesstand', 'verbrauch_paar'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tabelle);
    EXECUTE format($policy$CREATE POLICY mandant ON %I TO zaehlwerk_anfrage
      USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
      WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)$policy$, tabelle);
    EXECUTE format('GRANT SELECT ON %I TO zaehlwerk_anfrage', tabelle);
  END LOOP;
END $$;
