-- No statistics of figures that nobody asks by: of events and runs they are half of what making statistics takes, every ten seconds while the
-- tables grow by a tenth. A cluster refuses the statement about tables that are spread, and keeps them there.
CREATE FUNCTION zw_statistik_weglassen(tabelle regclass) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  spalten text;
BEGIN
  IF EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') THEN
    RETURN;
  END IF;
  SELECT string_agg(format('ALTER COLUMN %I SET STATISTICS 0', attname), ', ') INTO spalten
  FROM pg_attribute WHERE attrelid = tabelle AND attname IN ('schritt_nr', 'eltern_span', 'letzter_schritt', 'eingabe_token',
    'ausgabe_token', 'cache_lese_token', 'cache_schreib_token', 'denk_token', 'ausgabe_gesamt', 'werkzeugaufrufe', 'latenz_ms',
    'erste_zeichen_ms', 'fertig_ms', 'fehlercode', 'werkzeug_fingerabdruck', 'kurs_usd_eur', 'preis_quelle', 'teilbepreist', 'ersatz_eur',
    'verbranntes_geld_eur', 'aufgeteilt', 'fassung');
  -- Of a partitioned table it takes the parts along.
  EXECUTE format('ALTER TABLE %s %s', tabelle, spalten);
END $$;
SELECT zw_statistik_weglassen('ereignisse'), zw_statistik_weglassen('laeufe');

-- As before, and a new month does without them, too: it takes over nothing of the kind.
CREATE OR REPLACE FUNCTION zw_monate_anlegen(von date, bis date) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  monat date := date_trunc('month', von);
  teil text;
BEGIN
  WHILE monat <= bis LOOP
    teil := format('ereignisse_%s', to_char(monat, 'YYYY_MM'));
    IF to_regclass(teil) IS NULL THEN
      EXECUTE format('CREATE TABLE %I PARTITION OF ereignisse FOR VALUES FROM (%L) TO (%L)',
        teil, monat::text || ' 00:00:00+00', (monat + interval '1 month')::date::text || ' 00:00:00+00');
      EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', teil);
      EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', teil);
      PERFORM zw_statistik_weglassen(teil::regclass);
    END IF;
    monat := monat + interval '1 month';
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION zw_statistik_weglassen FROM PUBLIC;
