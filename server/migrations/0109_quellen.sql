-- expand: what came from which library (docs/decisions/0126).

-- What the calls of a key add up to by local day and by what told of them. Few libraries are in use at a time: those beyond the first ones
-- that a Mandant had lately share a row, whose names are ''.
CREATE TABLE verbrauch_quellen (
  mandant_id         uuid NOT NULL,
  schluessel_id      uuid NOT NULL,
  tag                date NOT NULL,
  -- As the event says it, and in its free data the library with its version; '' where it says nothing.
  quelle             text COLLATE "C" NOT NULL,
  bibliothek         text COLLATE "C" NOT NULL,
  version            text COLLATE "C" NOT NULL,
  aufrufe            bigint NOT NULL,
  unbepreist         bigint NOT NULL,
  kosten_eur         numeric NOT NULL,
  -- What of the calls was not sent, each as a number of calls.
  ohne_lauf          bigint NOT NULL,
  ohne_agent         bigint NOT NULL,
  ohne_endkunde      bigint NOT NULL,
  ohne_fingerabdruck bigint NOT NULL,
  ohne_cache         bigint NOT NULL,
  ohne_token         bigint NOT NULL,
  -- Of them those that a subscription pays for, at list price.
  abo_aufrufe        bigint NOT NULL,
  abo_kosten_eur     numeric NOT NULL,
  -- The latest of them, by their own time.
  letzter_aufruf_am  timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, schluessel_id, tag, quelle, bibliothek, version)
);
GRANT SELECT ON verbrauch_quellen TO zaehlwerk_anfrage;
ALTER TABLE verbrauch_quellen ENABLE ROW LEVEL SECURITY;
ALTER TABLE verbrauch_quellen FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON verbrauch_quellen TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);

-- Those that have rows of their own.
ALTER TABLE zaehlstaende ADD COLUMN quellen text[] NOT NULL DEFAULT '{}';
