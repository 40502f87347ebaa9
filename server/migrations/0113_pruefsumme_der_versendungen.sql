-- expand: which document went by mail (docs/decisions/0130).

-- SHA-256 of the PDF; null where none went, or of before this was kept.
ALTER TABLE abrechnung_versendungen ADD COLUMN sha256 text COLLATE "C";
