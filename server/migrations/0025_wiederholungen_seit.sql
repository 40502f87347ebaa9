-- When a run was put in: one whose job failed for good is put in again with its next loop, after an hour.
ALTER TABLE wiederholungen_offen ADD COLUMN seit timestamptz NOT NULL DEFAULT now();
