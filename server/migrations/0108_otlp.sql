-- What programs that emit OpenTelemetry have told, kept until nothing can change any more of the calls it tells of (docs/decisions/0124).
-- No word of a prompt or an answer is in it. A row is what one request says of one trace.
CREATE TABLE otlp_spuren (
  mandant_id    uuid NOT NULL,
  spur          text COLLATE "C" NOT NULL,
  lieferung_id  uuid NOT NULL,
  empfangen_am  timestamptz NOT NULL,
  schluessel_id uuid NOT NULL,
  projekt       text,
  -- The process, and when its calls in here were; null where none are.
  instanz       text COLLATE "C" NOT NULL,
  von           timestamptz,
  bis           timestamptz,
  -- JSON, one object for each span or log record.
  sichtungen    bytea NOT NULL,
  PRIMARY KEY (mandant_id, spur, lieferung_id)
);
-- Calls of one process that may be the same are near each other in time.
CREATE INDEX otlp_spuren_zeit ON otlp_spuren (mandant_id, instanz, bis) WHERE bis IS NOT NULL;
CREATE INDEX otlp_spuren_alt ON otlp_spuren (mandant_id, empfangen_am);

-- Traces of which something came that is not in the calls yet, and when they are looked at.
CREATE TABLE otlp_faellig (
  mandant_id uuid NOT NULL,
  spur       text COLLATE "C" NOT NULL,
  ab         timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, spur)
);

-- Calls that were handed on to be counted.
CREATE TABLE otlp_aufrufe (
  mandant_id  uuid NOT NULL,
  ereignis_id uuid NOT NULL,
  spur        text COLLATE "C" NOT NULL,
  -- What told of it: signal, trace and id of each.
  sichtungen  text[] COLLATE "C" NOT NULL,
  -- When it is said to have been.
  zeitpunkt   timestamptz NOT NULL,
  -- Grows with every change.
  fassung     int NOT NULL,
  -- SHA-256 of the event as it was handed on last; null: taken back.
  abdruck     bytea,
  geaendert_am timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, ereignis_id)
);
CREATE INDEX otlp_aufrufe_spur ON otlp_aufrufe (mandant_id, spur);
CREATE INDEX otlp_aufrufe_alt ON otlp_aufrufe (mandant_id, geaendert_am);

-- Batches that change calls that were counted, or take them back.
ALTER TABLE eingang ADD COLUMN aendert boolean NOT NULL DEFAULT false;

DO $$
DECLARE tabelle text;
BEGIN
  FOREACH tabelle IN ARRAY ARRAY['otlp_spuren', 'otlp_faellig', 'otlp_aufrufe'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tabelle);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tabelle);
    EXECUTE format('CREATE POLICY mandant ON %I TO zaehlwerk_anfrage
      USING (mandant_id = nullif(current_setting(''zw.mandant'', true), '''')::uuid)
      WITH CHECK (mandant_id = nullif(current_setting(''zw.mandant'', true), '''')::uuid)', tabelle);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO zaehlwerk_anfrage', tabelle);
  END LOOP;
END $$;
