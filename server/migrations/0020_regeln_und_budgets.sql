-- When the rules that a Mandant begins with were put in; they are put in once, whatever becomes of them.
ALTER TABLE mandanten ADD COLUMN regeln_angelegt_am timestamptz;

-- Who has a budget: asked whenever calls have been counted.
CREATE INDEX agenten_budget ON agenten (mandant_id) WHERE budget_eur IS NOT NULL;
CREATE INDEX projekte_budget ON projekte (mandant_id) WHERE budget_eur IS NOT NULL;

-- The latest run of a check of all Mandanten, whichever process did it: who asks for one shares the one that is under way.
CREATE TABLE pruefungen (
  name        text PRIMARY KEY,
  begonnen_am timestamptz NOT NULL,
  -- Null while it runs, and for good where its process died.
  beendet_am  timestamptz,
  -- How many of what, by name.
  zaehler     jsonb NOT NULL DEFAULT '{}'
);
GRANT SELECT ON pruefungen TO zaehlwerk_anfrage;
