-- Two dimensions at once, packed (docs/decisions/0030): all values of dimension `nach` that occur together with one value of another
-- dimension on a local day (`merkmal_id` 0: on all calls of the day), with their figures, in one value (verbrauch/lists/list.ts).
-- `teil` 0 is the whole day; parts of a day that is not over are numbered from 1.
CREATE TABLE verbrauch_liste (
  mandant_id uuid NOT NULL,
  tag        date NOT NULL,
  nach       smallint NOT NULL,
  merkmal_id integer NOT NULL,
  teil       smallint NOT NULL,
  liste      bytea NOT NULL,
  PRIMARY KEY (mandant_id, tag, nach, merkmal_id, teil)
);

ALTER TABLE verbrauch_liste ENABLE ROW LEVEL SECURITY;
ALTER TABLE verbrauch_liste FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON verbrauch_liste TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT ON verbrauch_liste TO zaehlwerk_anfrage;

-- At which state of the day (`geaendert`) the lists of all of it were made; unequal, they are not used.
ALTER TABLE verbrauch_tagesstand ADD COLUMN gelistet bigint;
ALTER TABLE verbrauch_tagesstand ADD COLUMN gelistet_am timestamptz;
-- Parts hold the calls of the day before `teile_bis`, as they were when `teile_stand` of its changes were not known to lie behind
-- `davor`. A change of calls from `davor` on is noted in `danach_geaendert`, too; one by the former release never is.
ALTER TABLE verbrauch_tagesstand ADD COLUMN davor timestamptz;
ALTER TABLE verbrauch_tagesstand ADD COLUMN danach_geaendert bigint NOT NULL DEFAULT 0;
ALTER TABLE verbrauch_tagesstand ADD COLUMN geaendert_ab timestamptz;
ALTER TABLE verbrauch_tagesstand ADD COLUMN teile_bis timestamptz;
ALTER TABLE verbrauch_tagesstand ADD COLUMN teile_stand bigint;
ALTER TABLE verbrauch_tagesstand ADD COLUMN teile_am timestamptz;
