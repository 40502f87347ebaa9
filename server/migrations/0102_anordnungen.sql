-- How long what is done about a finding holds, and how often it is told (docs/decisions/0116-orders-last-as-long-as-their-cause.md).

-- Why an intervention was lifted. Of one that a person has lifted: until when the rule behind it leaves its object alone at the latest,
-- and, of a run, how many calls it had then and what they had cost: at twice as much of either the rule may act again.
ALTER TABLE eingriffe ADD COLUMN aufgehoben_grund text;
ALTER TABLE eingriffe ADD COLUMN gnade_bis timestamptz;
ALTER TABLE eingriffe ADD COLUMN gnade_aufrufe bigint;
ALTER TABLE eingriffe ADD COLUMN gnade_kosten_eur numeric;
-- What is in force is found by its end, however many have ended before.
CREATE INDEX eingriffe_gilt ON eingriffe (mandant_id, coalesce(bis, 'infinity')) WHERE aufgehoben_am IS NULL AND NOT schatten;
-- What is about a run is found by the run.
CREATE INDEX eingriffe_lauf ON eingriffe (mandant_id, objekt) WHERE objekt_art = 'lauf';
-- What a rule has caused is lifted with it.
CREATE INDEX eingriffe_regel ON eingriffe (mandant_id, regel_id) WHERE aufgehoben_am IS NULL AND regel_id IS NOT NULL;

-- What a finding came to when it was told last (noted first, where nobody is told), how often it was told, and how many findings of
-- its rule the incident had then: it is told again at twice as much.
ALTER TABLE befunde ADD COLUMN gesagt_eur numeric;
ALTER TABLE befunde ADD COLUMN gesagt_anzahl numeric;
ALTER TABLE befunde ADD COLUMN gesagt_mal integer;
ALTER TABLE befunde ADD COLUMN gesagt_im_vorfall bigint;
