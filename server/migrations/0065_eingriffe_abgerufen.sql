-- When an order was first handed to a key that sends calls it is about, and to which: without it nobody can have obeyed.
ALTER TABLE eingriffe ADD COLUMN abgerufen_am timestamptz;
ALTER TABLE eingriffe ADD COLUMN abgerufen_von uuid;
