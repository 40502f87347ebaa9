-- expand: what the calls of a mark cost, so that limits of money need not ask for sums while there is room (docs/decisions/0185).

-- By the same position as `agenten`, in millionths of a EUR, rounded up; null where calls of before have changed, and of what the former
-- release has counted.
ALTER TABLE zaehlmarken ADD COLUMN kosten bigint[];
