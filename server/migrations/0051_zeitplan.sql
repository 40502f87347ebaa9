-- For which time a run of each job on the schedule was put in last (docs/decisions/0088).
CREATE TABLE zeitplan (
  job     text COLLATE "C" PRIMARY KEY,
  zuletzt timestamptz NOT NULL
);
