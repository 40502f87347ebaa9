-- expand: pieces made of sums, of days whose events are gone (docs/decisions/0166).

-- Numbers of the dimensions that its rows tell apart: '{}' are all calls together, two are a pair. Null: rows of calls, with all of their
-- values. Of two pieces that are not of the same dimensions one at most may be added up.
ALTER TABLE verbrauch_stuecke ADD COLUMN dimensionen smallint[];

-- Of how many dimensions at once there are pieces where those of the day are made of its sums; null where they are made of its calls.
ALTER TABLE verbrauch_tagesstand ADD COLUMN stuecke_dimensionen smallint;
