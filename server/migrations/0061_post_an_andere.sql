-- Mail to others (docs/decisions/0099, 0100): how much of it leaves, when, and who does not want it.

-- Until when what was used of a budget for mail has come back, for all processes together. Budgets of which nothing is used have no row.
CREATE TABLE postbudgets (
  -- Hash of what it is a budget of: a Mandant, an address, or both together.
  konto bytea PRIMARY KEY,
  bis   timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON postbudgets TO zaehlwerk_anfrage;

-- Mail that waits for an inhaber to confirm their own address; it has no job before that.
ALTER TABLE postausgang ADD COLUMN gehalten boolean NOT NULL DEFAULT false;
CREATE INDEX postausgang_gehalten ON postausgang (mandant_id) WHERE gehalten;

-- What people at an address have said about a kind of mail of a Mandant: that they want it, or that they do not.
CREATE TABLE postempfaenger (
  mandant_id    uuid NOT NULL,
  art           text NOT NULL CHECK (art IN ('alarm', 'abrechnung')),
  -- In the form in which addresses are compared.
  adresse       text NOT NULL,
  -- When they were asked last.
  angefragt_am  timestamptz,
  bestaetigt_am timestamptz,
  -- Since when they do not want it.
  abgemeldet_am timestamptz,
  PRIMARY KEY (mandant_id, art, adresse)
);
ALTER TABLE postempfaenger ENABLE ROW LEVEL SECURITY;
ALTER TABLE postempfaenger FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON postempfaenger TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE, DELETE ON postempfaenger TO zaehlwerk_anfrage;

-- Who has been getting alarms goes on getting them.
INSERT INTO postempfaenger (mandant_id, art, adresse, bestaetigt_am)
SELECT DISTINCT mandant_id, 'alarm', zw_adresse(adresse), now()
FROM alarmkanaele CROSS JOIN LATERAL unnest(email) AS adresse
ON CONFLICT DO NOTHING;

-- What an alarm is about in money, where it is about money: a message of many names the largest.
ALTER TABLE alarme ADD COLUMN betrag_eur numeric;

-- When a message went to people last: those that follow closely come together.
ALTER TABLE alarm_einstellungen ADD COLUMN zuletzt_gemeldet_am timestamptz;
