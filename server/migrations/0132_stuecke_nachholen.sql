-- expand: pieces of what was counted without any (docs/decisions/0159).

-- While the pieces of a Mandant are made anew: at which state of the day (`geaendert`) those of it were made.
ALTER TABLE verbrauch_tagesstand ADD COLUMN stuecke_stand bigint;
