-- Tokens alike for every provider (docs/decisions/0108): input without the cache, output with reasoning, and of how many calls.
-- What was counted before, or is by the former release meanwhile, is in none of them until a job has read its events.
ALTER TABLE verbrauch_minute ADD COLUMN eingabe_ohne_cache numeric NOT NULL DEFAULT 0,
  ADD COLUMN ausgabe_gesamt numeric NOT NULL DEFAULT 0, ADD COLUMN aufgeteilt bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_stunde ADD COLUMN eingabe_ohne_cache numeric NOT NULL DEFAULT 0,
  ADD COLUMN ausgabe_gesamt numeric NOT NULL DEFAULT 0, ADD COLUMN aufgeteilt bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_tag ADD COLUMN eingabe_ohne_cache numeric NOT NULL DEFAULT 0,
  ADD COLUMN ausgabe_gesamt numeric NOT NULL DEFAULT 0, ADD COLUMN aufgeteilt bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_woche ADD COLUMN eingabe_ohne_cache numeric NOT NULL DEFAULT 0,
  ADD COLUMN ausgabe_gesamt numeric NOT NULL DEFAULT 0, ADD COLUMN aufgeteilt bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_einzeln ADD COLUMN eingabe_ohne_cache numeric NOT NULL DEFAULT 0,
  ADD COLUMN ausgabe_gesamt numeric NOT NULL DEFAULT 0, ADD COLUMN aufgeteilt bigint NOT NULL DEFAULT 0;
ALTER TABLE laeufe ADD COLUMN eingabe_ohne_cache numeric NOT NULL DEFAULT 0,
  ADD COLUMN ausgabe_gesamt numeric NOT NULL DEFAULT 0, ADD COLUMN aufgeteilt bigint NOT NULL DEFAULT 0;
