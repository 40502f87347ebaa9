-- expand: calls know the API key they came by (docs/decisions/0121).

-- Null for calls that a former release has counted.
ALTER TABLE ereignisse ADD COLUMN schluessel_id uuid;

-- Keys whose sums changed; null from a former release.
ALTER TABLE zaehlmarken ADD COLUMN schluessel uuid[];

-- What the calls of a key add up to by local hour. Kept beside the sums by dimension, since nobody asks for it by two of them at once.
CREATE TABLE verbrauch_schluessel (
  mandant_id           uuid NOT NULL,
  schluessel_id        uuid NOT NULL,
  -- When the local hour began.
  stunde               timestamptz NOT NULL,
  aufrufe              bigint NOT NULL,
  unbepreist           bigint NOT NULL,
  token                numeric NOT NULL,
  kosten_usd           numeric NOT NULL,
  kosten_eur           numeric NOT NULL,
  -- What of the calls was not sent, each as a number of calls.
  ohne_lauf            bigint NOT NULL,
  ohne_fingerabdruck   bigint NOT NULL,
  ohne_endkunde        bigint NOT NULL,
  adresse_als_anbieter bigint NOT NULL,
  -- The latest of them, by their own time.
  letzter_aufruf_am    timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, schluessel_id, stunde)
);
GRANT SELECT ON verbrauch_schluessel TO zaehlwerk_anfrage;
ALTER TABLE verbrauch_schluessel ENABLE ROW LEVEL SECURITY;
ALTER TABLE verbrauch_schluessel FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON verbrauch_schluessel TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
