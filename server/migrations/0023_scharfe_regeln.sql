-- Whose rules can stop anybody is asked for every few seconds.
CREATE INDEX regeln_scharf ON regeln (mandant_id)
  WHERE aktiv AND NOT schattenbetrieb AND stufe IN ('drosseln', 'anhalten', 'sperren');
