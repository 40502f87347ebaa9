-- A person may put an agent into a project that no event has named yet.
GRANT INSERT ON projekte TO zaehlwerk_anfrage;
