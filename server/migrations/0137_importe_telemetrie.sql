-- expand: how many calls of an import the telemetry of Claude Code had told of, under ids of its own (docs/decisions/0179): when the file
-- was read, and when its calls were counted.
ALTER TABLE importe ADD COLUMN bekannt_telemetrie bigint NOT NULL DEFAULT 0;
ALTER TABLE importe ADD COLUMN schon_da_telemetrie bigint NOT NULL DEFAULT 0;
ALTER TABLE import_teile ADD COLUMN bekannt_telemetrie integer NOT NULL DEFAULT 0;
