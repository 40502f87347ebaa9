-- What became of the mail with a statement: which one it is in the outbox, and when the mail server took it. Null for those of before,
-- and for what never got into the outbox. `fehlgrund` has two more: kein_mailserver, nicht_angenommen.
ALTER TABLE abrechnung_versendungen ADD COLUMN post_id uuid;
ALTER TABLE abrechnung_versendungen ADD COLUMN uebergeben_am timestamptz;
CREATE INDEX abrechnung_versendungen_post ON abrechnung_versendungen (mandant_id, post_id);
