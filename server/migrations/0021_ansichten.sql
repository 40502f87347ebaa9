-- Views of the cockpit that users keep under a name: a path, and the query of its address. They go with their user.
CREATE TABLE ansichten (
  mandant_id   uuid NOT NULL,
  benutzer_id  uuid NOT NULL,
  ansicht_id   uuid NOT NULL,
  name         text NOT NULL,
  pfad         text NOT NULL,
  -- Without the question mark.
  suche        text NOT NULL,
  erstellt_am  timestamptz NOT NULL,
  geaendert_am timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, benutzer_id, ansicht_id),
  UNIQUE (mandant_id, benutzer_id, name),
  FOREIGN KEY (mandant_id, benutzer_id) REFERENCES benutzer ON DELETE CASCADE
);

ALTER TABLE ansichten ENABLE ROW LEVEL SECURITY;
ALTER TABLE ansichten FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON ansichten TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON ansichten TO zaehlwerk_anfrage;
