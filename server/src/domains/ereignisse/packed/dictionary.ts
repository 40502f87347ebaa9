/**
 * What zstd has seen before it begins with a batch: names and kinds of columns, so that the description of a batch takes a
 * few bytes even where it has a single event. Never change it, whatever the columns are: what waits in the inbox is
 * compressed with it, and a description that differs a little is still nearly all in here.
 */
export const DICTIONARY: Buffer = Buffer.from(`ereignis_id uuid
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
zusatz object
`);
