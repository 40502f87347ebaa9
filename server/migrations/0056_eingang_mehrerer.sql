-- Small batches of many Mandanten go into their inboxes with one statement: its rows may be of those it is bound to, and of nobody else.
-- What is in an inbox is shown under the policy `mandant` alone.
CREATE POLICY mandanten ON eingang FOR INSERT TO zaehlwerk_anfrage
  WITH CHECK (mandant_id = ANY (nullif(current_setting('zw.mandanten', true), '')::uuid[]));
