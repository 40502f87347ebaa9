-- contract: what 0.2.0 asked for, unused since 0.3.0; the baseline has none of these tables (docs/decisions/0192).

-- Lists, sums by minute, day and week, and states of runs.
DROP TABLE IF EXISTS verbrauch_paar;
DROP TABLE IF EXISTS verbrauch_rangliste;
DROP TABLE IF EXISTS verbrauch_minute;
DROP TABLE IF EXISTS verbrauch_tag;
DROP TABLE IF EXISTS verbrauch_woche;
DROP TABLE IF EXISTS lauf_zustaende;
-- How lists stood with a day, and a total of it that nobody asks for.
ALTER TABLE verbrauch_tagesstand DROP COLUMN verdichtet, DROP COLUMN verdichtet_am, DROP COLUMN offen_seit, DROP COLUMN gelistet_am,
  DROP COLUMN davor, DROP COLUMN danach_geaendert, DROP COLUMN geaendert_ab, DROP COLUMN teile_bis, DROP COLUMN teile_stand,
  DROP COLUMN teile_am, DROP COLUMN rang_gelistet, DROP COLUMN aufgeteilt;
-- Calls that waited to be added to sums.
ALTER TABLE zaehlstaende DROP COLUMN einzelne;

-- Still there, since 0.3.0 names it while it may run: the tables `verbrauch_stunde`, `verbrauch_einzeln` and `verbrauch_liste`; of
-- `verbrauch_tagesstand` the columns `gelistet`, `stuecke_stand` and `stuecke_dimensionen`, of `verbrauch_stuecke` `dimensionen`, and of
-- `zaehlstaende` `stuecke_bis`, which counting keeps at `marken`: else 0.3.0 would take pieces for missing. All of it goes with the migration
-- that follows once that release does not run.
