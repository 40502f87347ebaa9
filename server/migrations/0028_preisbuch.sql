-- What a Mandant has agreed with its providers (docs/decisions/0063): each change is an edition of its own, and all of them stay.
CREATE TABLE preisbuecher (
  mandant_id   uuid NOT NULL,
  fassung      integer NOT NULL,
  -- As the contract has it, amounts as decimal text.
  inhalt       jsonb NOT NULL,
  erstellt_am  timestamptz NOT NULL,
  -- Address of the user.
  erstellt_von text,
  PRIMARY KEY (mandant_id, fassung)
);

ALTER TABLE preisbuecher ENABLE ROW LEVEL SECURITY;
ALTER TABLE preisbuecher FORCE ROW LEVEL SECURITY;
CREATE POLICY mandant ON preisbuecher TO zaehlwerk_anfrage
  USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
  WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid);
GRANT SELECT, INSERT ON preisbuecher TO zaehlwerk_anfrage;
