-- Since when a day has not been condensed: how long one that changes all the time waits (0030). Days from before are due at once.
ALTER TABLE verbrauch_tagesstand ADD COLUMN offen_seit timestamptz;
ALTER TABLE verbrauch_tagesstand ALTER COLUMN offen_seit SET DEFAULT now();
