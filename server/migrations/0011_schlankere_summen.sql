-- Histograms by minute and hour: whoever asks for longer periods adds up the hours.
ALTER TABLE verbrauch_tag DROP COLUMN latenz, DROP COLUMN erste_zeichen;
ALTER TABLE verbrauch_woche DROP COLUMN latenz, DROP COLUMN erste_zeichen;

-- Which runs a mark is about is found by their states, which carry its number.
ALTER TABLE zaehlmarken DROP COLUMN laeufe;
CREATE INDEX lauf_zustaende_nummer ON lauf_zustaende (mandant_id, nummer);
DROP INDEX lauf_zustaende_alter;
