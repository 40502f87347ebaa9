-- contract: what 0.1.0 asked for, unused since 0.2.0; the baseline has none of it (docs/decisions/0109).

-- Whose key, without quotas: since then zw_schluessel_mit_kontingent is asked.
DROP FUNCTION IF EXISTS zw_schluessel_finden(bytea);
-- The one key of the revocation list, from before keys rotated: it stands in `lizenz_schluessel`.
DROP FUNCTION IF EXISTS zw_sperrliste_schluessel(bytea);
DROP TABLE IF EXISTS geheimnisse;
-- The queue and the schedule of a library, before `auftraege` and `zeitplan`.
DROP SCHEMA IF EXISTS pgboss CASCADE;
-- Days that waited for their pairs; those that wait for their lists are found otherwise.
DROP INDEX IF EXISTS verbrauch_tagesstand_offen;

-- Still there: the table `verbrauch_paar` and the columns `verdichtet` and `verdichtet_am` of `verbrauch_tagesstand`, which 0.2.0 reads
-- while it may run. They go with the migration that follows once it does not.
