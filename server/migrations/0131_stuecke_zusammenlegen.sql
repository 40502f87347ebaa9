-- expand: pieces are put together (docs/decisions/0158).

-- As counting left it: of any days, in no order.
ALTER TABLE verbrauch_stuecke ADD COLUMN roh boolean NOT NULL DEFAULT true;
-- From when on it is to be put together with others; null where it stays as it is.
ALTER TABLE verbrauch_stuecke ADD COLUMN faellig_am timestamptz DEFAULT now() + interval '10 minutes';
-- What is due, of all Mandanten: of those that rest it has the pieces of the running month alone, at its end.
CREATE INDEX verbrauch_stuecke_faellig ON verbrauch_stuecke (faellig_am) WHERE faellig_am IS NOT NULL;
