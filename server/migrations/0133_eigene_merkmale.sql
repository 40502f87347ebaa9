-- expand: dimensions of a Mandant's own (docs/decisions/0161).

-- Keys of the free data of events, by their place, with the instant of receipt from which on they hold; the latest last.
ALTER TABLE mandanten ADD COLUMN eigene_merkmale jsonb NOT NULL DEFAULT '[]';
