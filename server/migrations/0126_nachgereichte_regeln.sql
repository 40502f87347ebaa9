-- expand: which rules of later releases a Mandant was given (docs/decisions/0146).
ALTER TABLE mandanten ADD COLUMN regeln_nachgereicht text[] COLLATE "C" NOT NULL DEFAULT '{}';
