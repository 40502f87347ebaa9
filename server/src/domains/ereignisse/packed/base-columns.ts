/**
 * The columns of a batch that does not say otherwise: name and kind of each. Never change them, whatever the fields of an
 * event are: a batch describes its columns by how they differ from these, and what waits in the inbox means these.
 */
export const BASE_COLUMNS = `ereignis_id uuid
zeitpunkt instant
anbieter text
modell text
agent text
lauf_id uuid
schritt_nr count
eltern_span uuid
eingabe_token count
ausgabe_token count
cache_lese_token count
cache_schreib_token count
denk_token count
werkzeugaufrufe count
latenz_ms count
erste_zeichen_ms count
status text
fehlercode text
geschaetzt flag
prompt_fingerabdruck fingerprint
werkzeug_fingerabdruck fingerprint
endkunde_ref text
funktion_ref text
benutzer_ref text
quelle text
zusatz object`;
