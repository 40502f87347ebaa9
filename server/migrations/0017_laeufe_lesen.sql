-- What a page about runs needs: all tokens, and when the last call of a run had ended. Of runs that were counted before, the
-- tokens stay unknown.
ALTER TABLE laeufe
  ADD COLUMN cache_schreib_token numeric,
  ADD COLUMN denk_token numeric,
  -- Milliseconds since 1970. No timestamp: a call may claim to have taken longer than a calendar reaches.
  ADD COLUMN fertig_ms bigint;
