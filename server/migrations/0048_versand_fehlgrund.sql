-- Why a statement did not go by mail: unstimmig, zu_gross, aufgegeben. Null for what went, waits, or failed before it was kept.
ALTER TABLE abrechnung_versendungen ADD COLUMN fehlgrund text;
