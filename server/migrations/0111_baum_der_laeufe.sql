-- The run that a run was begun from, as its calls name it (`zusatz.eltern_lauf`): of several the least, whichever came first. It changes hardly
-- ever, so that the index costs a run one entry.
ALTER TABLE laeufe ADD COLUMN eltern_lauf uuid;
CREATE INDEX laeufe_eltern ON laeufe (mandant_id, eltern_lauf) WHERE eltern_lauf IS NOT NULL;
