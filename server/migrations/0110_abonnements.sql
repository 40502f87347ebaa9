-- expand: settings of a Mandant for what comes by OpenTelemetry and for what subscriptions pay for (docs/decisions/0127).

-- Whether calls that a subscription pays for keep the end customer they were made for, and are passed on at list price.
ALTER TABLE mandanten ADD COLUMN abo_weiterbelasten boolean NOT NULL DEFAULT false;

-- Own names of attributes of OpenTelemetry, beside those that are known anyway; the first one counts most.
ALTER TABLE mandanten ADD COLUMN endkunde_namen text[] NOT NULL DEFAULT '{}';
ALTER TABLE mandanten ADD COLUMN funktion_namen text[] NOT NULL DEFAULT '{}';
ALTER TABLE mandanten ADD COLUMN projekt_namen text[] NOT NULL DEFAULT '{}';
