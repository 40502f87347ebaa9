-- The latest runs of an end customer, as those of an agent: the search for runs looks up whom a text names and takes theirs from here.
CREATE INDEX laeufe_endkunde ON laeufe (mandant_id, endkunde_ref, ende DESC) WHERE endkunde_ref IS NOT NULL;
