-- What a rule would have done in past days (docs/decisions/0053): asked for by a request, worked out by a job, gone after an hour.
CREATE TABLE rueckblicke (
  mandant_id     uuid NOT NULL,
  rueckblick_id  uuid NOT NULL,
  -- The rule as it is tried, whether or not it was saved like this.
  regel          jsonb NOT NULL,
  zeitzone       text NOT NULL,
  -- Local days, both included.
  von            date NOT NULL,
  bis            date NOT NULL,
  status         text NOT NULL,
  tage_fertig    integer NOT NULL DEFAULT 0,
  ergebnis       jsonb,
  angelegt_am    timestamptz NOT NULL,
  laeuft_ab_am   timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, rueckblick_id)
);

ALTER TABLE rueckblicke ENABLE ROW LEVEL SECURITY;
ALTER TABLE rueckblicke FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON rueckblicke TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON rueckblicke TO zaehlwerk_anfrage;
