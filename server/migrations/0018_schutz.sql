-- Protection (docs/decisions/0045): rules, findings, incidents, interventions, and what proves a call to be burnt money.

ALTER TABLE projekte ADD COLUMN budget_eur numeric;

-- A call that a detector has proven to be an exact repeat: its cost is burnt money, like that of a failed one.
ALTER TABLE ereignisse ADD COLUMN wiederholung boolean NOT NULL DEFAULT false;

-- Runs whose repeats are to be read anew; each is put in once, whoever has taken it out may find it here again.
CREATE TABLE wiederholungen_offen (
  mandant_id uuid NOT NULL,
  lauf_id    uuid NOT NULL,
  PRIMARY KEY (mandant_id, lauf_id)
);

CREATE TABLE regeln (
  mandant_id      uuid NOT NULL,
  regel_id        uuid NOT NULL DEFAULT gen_random_uuid(),
  name            text NOT NULL,
  typ             text NOT NULL,
  geltungsbereich text NOT NULL,
  -- As it was given; and the value of the dimension it means (null: everything).
  bezug_id        text,
  bezug           text COLLATE "C",
  schwelle        numeric,
  einheit         text,
  stufe           text NOT NULL,
  zeitfenster     text,
  schattenbetrieb boolean NOT NULL,
  aktiv           boolean NOT NULL,
  parameter       jsonb NOT NULL,
  erstellt_am     timestamptz NOT NULL DEFAULT now(),
  geaendert_am    timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (mandant_id, regel_id)
);

-- What a rule has found. One row for each key (rule, object, beginning of its window): found again, it is changed.
CREATE TABLE befunde (
  mandant_id     uuid NOT NULL,
  -- Version 7: in the order of their discovery.
  befund_id      uuid NOT NULL,
  schluessel     text COLLATE "C" NOT NULL,
  typ            text NOT NULL,
  -- Null where no rule is behind it. The rule may be gone.
  regel_id       uuid,
  objekt_art     text NOT NULL,
  -- Id of the run, key of the agent or project, reference, name; empty for the Mandant.
  objekt         text COLLATE "C" NOT NULL,
  agent          text COLLATE "C",
  lauf_id        uuid,
  -- What the window it was found in begins with.
  fenster_beginn timestamptz NOT NULL,
  -- What the rule does, as far as the agent lets it; in shadow mode it would.
  stufe          text NOT NULL,
  schatten       boolean NOT NULL,
  status         text NOT NULL DEFAULT 'offen',
  -- The figures behind it, by type.
  werte          jsonb NOT NULL,
  -- Cost of what it is about, of that burnt, and what could be saved beyond; null when unknown or nothing of the kind.
  kosten_eur     numeric,
  verbrannt_eur  numeric,
  potential_eur  numeric,
  vorfall_id     uuid NOT NULL,
  -- When an alarm told of it; null where the rest period, the level or shadow mode kept it from that.
  alarm_am       timestamptz,
  erkannt_am     timestamptz NOT NULL,
  geaendert_am   timestamptz NOT NULL,
  PRIMARY KEY (mandant_id, befund_id),
  UNIQUE (mandant_id, schluessel)
);
CREATE INDEX befunde_status ON befunde (mandant_id, status, befund_id);
CREATE INDEX befunde_typ ON befunde (mandant_id, typ, befund_id);
CREATE INDEX befunde_agent ON befunde (mandant_id, agent, befund_id);
CREATE INDEX befunde_vorfall ON befunde (mandant_id, vorfall_id, befund_id);
CREATE INDEX befunde_lauf ON befunde (mandant_id, lauf_id) WHERE lauf_id IS NOT NULL;

-- Findings of one object that came close to one another.
CREATE TABLE vorfaelle (
  mandant_id      uuid NOT NULL,
  vorfall_id      uuid NOT NULL,
  objekt_art      text NOT NULL,
  objekt          text COLLATE "C" NOT NULL,
  status          text NOT NULL DEFAULT 'offen',
  -- Of its findings: how many, the highest level, the first and the last.
  befunde         bigint NOT NULL,
  stufe           text NOT NULL,
  schatten        boolean NOT NULL,
  beginn          timestamptz NOT NULL,
  letzter_befund_am timestamptz NOT NULL,
  massnahme       text,
  geschlossen_am  timestamptz,
  geschlossen_von text,
  PRIMARY KEY (mandant_id, vorfall_id)
);
CREATE INDEX vorfaelle_objekt ON vorfaelle (mandant_id, objekt_art, objekt, letzter_befund_am);
CREATE INDEX vorfaelle_status ON vorfaelle (mandant_id, status, vorfall_id);

-- What is to be done about calls, by a rule or by hand: those of a run, an agent, a project, an end customer, …
CREATE TABLE eingriffe (
  mandant_id     uuid NOT NULL,
  -- Version 7: in the order of their beginning.
  eingriff_id    uuid NOT NULL,
  stufe          text NOT NULL,
  objekt_art     text NOT NULL,
  -- Id of the run, key of the agent or project, reference, name; empty for the Mandant.
  objekt         text COLLATE "C" NOT NULL,
  -- Of an agent or a run: whose calls those are.
  agent          text COLLATE "C",
  schatten       boolean NOT NULL,
  regel_id       uuid,
  befund_id      uuid,
  -- Why, in both languages.
  grund_de       text NOT NULL,
  grund_en       text NOT NULL,
  -- Address of the user who intervened by hand.
  veranlasst_von text,
  beginn         timestamptz NOT NULL,
  -- Null: until it is lifted.
  bis            timestamptz,
  aufgehoben_am  timestamptz,
  aufgehoben_von text,
  -- Calls it should have kept from happening.
  missachtet     bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (mandant_id, eingriff_id)
);
CREATE INDEX eingriffe_befund ON eingriffe (mandant_id, befund_id) WHERE befund_id IS NOT NULL;
CREATE INDEX eingriffe_in_kraft ON eingriffe (mandant_id, eingriff_id) WHERE aufgehoben_am IS NULL AND NOT schatten;
CREATE INDEX eingriffe_zeit ON eingriffe (mandant_id, beginn);

DO $$
DECLARE
  tabelle text;
BEGIN
  FOREACH tabelle IN ARRAY ARRAY['wiederholungen_offen', 'regeln', 'befunde', 'vorfaelle', 'eingriffe'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tabelle);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tabelle);
    EXECUTE format($policy$CREATE POLICY mandant ON %I TO zaehlwerk_anfrage
      USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
      WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)$policy$, tabelle);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE, DELETE ON regeln TO zaehlwerk_anfrage;
GRANT SELECT, UPDATE ON befunde, vorfaelle TO zaehlwerk_anfrage;
GRANT SELECT, INSERT, UPDATE ON eingriffe TO zaehlwerk_anfrage;
GRANT UPDATE (budget_eur) ON projekte TO zaehlwerk_anfrage;
