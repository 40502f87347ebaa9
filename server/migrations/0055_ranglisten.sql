-- All values of a dimension with their figures, packed where they are many (docs/decisions/0029, verbrauch/lists/list.ts): of the calls
-- of the local day `tag` (`tage` 1) or of the week that begins with it (7). `stand` is the sum of `geaendert` over its days when the list
-- was made; it is not used when that is another one by now. `tage` 0 is of a day that is not over, up to where its parts go
-- (`teile_bis`) and as of their `teile_stand`.
CREATE TABLE verbrauch_rangliste (
  mandant_id uuid NOT NULL,
  dimension  smallint NOT NULL,
  tag        date NOT NULL,
  tage       smallint NOT NULL,
  stand      bigint NOT NULL,
  liste      bytea NOT NULL,
  PRIMARY KEY (mandant_id, dimension, tag, tage)
);

ALTER TABLE verbrauch_rangliste ENABLE ROW LEVEL SECURITY;
ALTER TABLE verbrauch_rangliste FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON verbrauch_rangliste TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT ON verbrauch_rangliste TO zaehlwerk_anfrage;

-- At which state of the day (`geaendert`) it was last looked at for values that are many.
ALTER TABLE verbrauch_tagesstand ADD COLUMN rang_gelistet bigint;
