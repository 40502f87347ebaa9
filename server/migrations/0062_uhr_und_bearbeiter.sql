-- What is certain about the clock (docs/decisions/0101): a time is taken as passed when it was seen and no later look, a day after
-- at the earliest, has said otherwise. What is removed for good goes by it.
CREATE TABLE uhrstand (
  nummer         integer PRIMARY KEY DEFAULT 1 CHECK (nummer = 1),
  -- The look that waits for another one a day later.
  gesehen_am     timestamptz,
  vergangen_bis  timestamptz
);
INSERT INTO uhrstand DEFAULT VALUES;

-- Who runs the job: the number of an advisory lock that its process holds as long as it lives (docs/decisions/0102).
ALTER TABLE auftraege ADD COLUMN bearbeiter integer;
