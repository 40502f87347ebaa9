-- Histograms by minute and hour: whoever asks for longer periods adds up the hours.
ALTER TABLE verbrauch_tag DROP COLUMN latenz, DROP COLUMN erste_zeichen;
ALTER TABLE verbrauch_woche DROP COLUMN latenz, DROP COLUMN erste_zeichen;
