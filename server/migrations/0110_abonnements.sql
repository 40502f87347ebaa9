-- expand: settings of a Mandant for what comes by OpenTelemetry and for what subscriptions pay for (docs/decisions/0127).

-- Whether calls that a subscription pays for keep the end customer they were made for, and are passed on at list price.
ALTER TABLE mandanten ADD COLUMN abo_weiterbelasten boolean NOT NULL DEFAULT false;

-- Own names of attributes for end customer, function and project: an object with a list of each, beside those that are known anyway.
ALTER TABLE mandanten ADD COLUMN otlp_namen jsonb NOT NULL DEFAULT '{}';
