-- The weekly report by mail (docs/decisions/0071): who wants it. They go with their user.
CREATE TABLE bericht_abos (
  mandant_id       uuid NOT NULL,
  benutzer_id      uuid NOT NULL,
  eingeschaltet_am timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, benutzer_id),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);

-- The claim to a report: written in the transaction that puts the mail into the outbox, so that there is one for a user and a week.
CREATE TABLE bericht_versendungen (
  mandant_id   uuid NOT NULL,
  benutzer_id  uuid NOT NULL,
  -- The Monday of the week it is about.
  woche        date NOT NULL,
  versendet_am timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, benutzer_id, woche),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);

ALTER TABLE bericht_abos ENABLE ROW LEVEL SECURITY;
ALTER TABLE bericht_abos FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON bericht_abos TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON bericht_abos TO zaehlwerk_anfrage;

ALTER TABLE bericht_versendungen ENABLE ROW LEVEL SECURITY;
ALTER TABLE bericht_versendungen FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON bericht_versendungen TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT ON bericht_versendungen TO zaehlwerk_anfrage;
