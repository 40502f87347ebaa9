-- expand: what deliveries of OpenTelemetry have in common (docs/decisions/0124).

-- By which library and signal all calls of a delivery were told, where their ids name them for good; null where that is not so, or not
-- known. Two traces of one kind have no call in common, and need not be looked at together.
ALTER TABLE otlp_spuren ADD COLUMN art text COLLATE "C";
