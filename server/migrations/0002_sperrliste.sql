-- The signed revocation list: its number, and the key it is signed with.

-- Grows with every change of the list, removals too, so that an older list can be told from a newer one.
CREATE TABLE sperrliste_stand (
  einzig boolean PRIMARY KEY DEFAULT true CHECK (einzig),
  nummer bigint NOT NULL
);
INSERT INTO sperrliste_stand (nummer) VALUES (1);

-- Runs as the owner: whoever may change the list changes its number with it.
CREATE FUNCTION zw_sperrliste_geaendert() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  UPDATE sperrliste_stand SET nummer = nummer + 1;
  RETURN NULL;
END $$;
CREATE TRIGGER sperrliste_geaendert AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON lizenz_sperren
  FOR EACH STATEMENT EXECUTE FUNCTION zw_sperrliste_geaendert();

-- Requests sign the list but have no access to the secrets: this hands out one of them, encrypted. The first proposal
-- is kept, whoever else makes one at the same time; null only asks.
CREATE FUNCTION zw_sperrliste_schluessel(vorschlag bytea) RETURNS bytea
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public AS $$
BEGIN
  IF vorschlag IS NOT NULL THEN
    INSERT INTO geheimnisse (name, verschluesselt) VALUES ('sperrliste', vorschlag) ON CONFLICT DO NOTHING;
  END IF;
  RETURN (SELECT verschluesselt FROM geheimnisse WHERE name = 'sperrliste');
END $$;

GRANT SELECT ON sperrliste_stand TO zaehlwerk_anfrage;
REVOKE ALL ON FUNCTION zw_sperrliste_geaendert, zw_sperrliste_schluessel FROM PUBLIC;
GRANT EXECUTE ON FUNCTION zw_sperrliste_schluessel TO zaehlwerk_anfrage;
