-- Editions of the price list (docs/decisions/0065): which one is in force follows from these columns.
CREATE TABLE preislisten (
  nummer               integer PRIMARY KEY CHECK (nummer > 0),
  -- As preis_quelle names it.
  name                 text NOT NULL UNIQUE,
  sha256               text NOT NULL UNIQUE CHECK (sha256 ~ '^[0-9a-f]{64}$'),
  stand                date NOT NULL,
  herkunft             text NOT NULL CHECK (herkunft IN ('paket', 'netz', 'datei')),
  aufgenommen_am       timestamptz NOT NULL,
  -- When it was last still the one that its source had.
  bestaetigt_am        timestamptz NOT NULL,
  modelle              integer NOT NULL CHECK (modelle >= 0),
  -- The bytes that sha256 is of, compressed with zstd.
  daten                bytea NOT NULL,
  angeheftet           boolean NOT NULL DEFAULT false,
  -- Why it is not taken without asking; null: it is.
  abgelehnt            text,
  -- When operators were told that it was refused, or that it is old.
  gemeldet_am          timestamptz,
  CHECK (NOT (angeheftet AND abgelehnt IS NOT NULL))
);
CREATE UNIQUE INDEX preislisten_angeheftet ON preislisten (angeheftet) WHERE angeheftet;
GRANT SELECT ON preislisten TO zaehlwerk_anfrage;
