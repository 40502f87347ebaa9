-- Budgets of what has no table of its own, or one of another slice's (docs/decisions/0119-money-from-the-first-day.md). Those of agents and projects
-- stay columns of theirs: the former release sets them there while it may run.
CREATE TABLE budgets (
  mandant_id    uuid NOT NULL,
  -- endkunde, funktion, benutzer, schluessel
  objekt_art    text NOT NULL,
  -- Reference; of an API key its id.
  objekt        text COLLATE "C" NOT NULL,
  budget_eur    numeric NOT NULL,
  -- What it does by itself once it is spent: warnen, drosseln, sperren.
  bei_erreichen text NOT NULL,
  PRIMARY KEY (mandant_id, objekt_art, objekt)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON budgets TO zaehlwerk_anfrage;
ALTER TABLE budgets ENABLE ROW LEVEL SECURITY;
ALTER TABLE budgets FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON budgets TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);

-- The same of agents and projects; null: warnen.
ALTER TABLE agenten ADD COLUMN budget_bei_erreichen text;
ALTER TABLE projekte ADD COLUMN budget_bei_erreichen text;
GRANT UPDATE (budget_bei_erreichen) ON projekte TO zaehlwerk_anfrage;

-- When somebody has confirmed, changed or switched off the limits that a Mandant begins with; null: nobody has been asked, or has answered.
-- Those of before have no such limits, and are not asked.
ALTER TABLE mandanten ADD COLUMN geldgrenzen_bestaetigt_am timestamptz;
UPDATE mandanten SET geldgrenzen_bestaetigt_am = now();
