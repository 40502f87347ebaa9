-- What a user has chosen for the cockpit; null: the language of the browser, the time zone of the Mandant.
ALTER TABLE benutzer
  ADD COLUMN sprache text CHECK (sprache IN ('de', 'en')),
  -- IANA name.
  ADD COLUMN zeitzone text;
