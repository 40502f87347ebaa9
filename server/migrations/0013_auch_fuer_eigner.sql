-- Row-level security holds for whoever owns a table, too, unless the role is exempt from it (BYPASSRLS), which counting
-- needs: COPY is refused where it holds. What came about with another owner would otherwise be open.
DO $$
DECLARE
  tabelle text;
BEGIN
  FOR tabelle IN
    SELECT c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'mandant_id'
  LOOP
    -- Partitions have none so far, for requests have no access to them. Without a policy they show nothing if they had.
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tabelle);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tabelle);
  END LOOP;
END $$;

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
    END IF;
    monat := monat + interval '1 month';
  END LOOP;
END $$;
