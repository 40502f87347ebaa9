-- Alarms (docs/decisions/0046): what a Mandant is told, through which channel, and how that went.

CREATE TABLE alarme (
  mandant_id   uuid NOT NULL,
  -- Version 7: in the order in which they were raised.
  alarm_id     uuid NOT NULL,
  -- alarm; entwarnung: what it told of is over; sammlung: several that were held, in one.
  art          text NOT NULL CHECK (art IN ('alarm', 'entwarnung', 'sammlung')),
  -- What it is about. Each cause raises one alarm, and one that it is over.
  ursache      text COLLATE "C" NOT NULL,
  stufe        text NOT NULL,
  titel_de     text NOT NULL,
  titel_en     text NOT NULL,
  text_de      text NOT NULL,
  text_en      text NOT NULL,
  -- Where in the cockpit there is more about it.
  pfad         text NOT NULL,
  zeitpunkt    timestamptz NOT NULL DEFAULT now(),
  -- When its deliveries were put in.
  verteilt_am  timestamptz,
  -- Until when people are spared it, and what it then came with.
  gehalten_bis timestamptz,
  sammlung_id  uuid,
  PRIMARY KEY (mandant_id, alarm_id),
  UNIQUE (mandant_id, ursache, art)
);
CREATE INDEX alarme_gehalten ON alarme (mandant_id, gehalten_bis) WHERE gehalten_bis IS NOT NULL AND sammlung_id IS NULL;
CREATE INDEX alarme_zeitpunkt ON alarme (mandant_id, zeitpunkt);

-- One for each alarm and channel.
CREATE TABLE alarm_zustellungen (
  mandant_id     uuid NOT NULL,
  zustellung_id  uuid NOT NULL,
  alarm_id       uuid NOT NULL,
  kanal          text NOT NULL CHECK (kanal IN ('email', 'chatA_webhook', 'chatB_webhook', 'push_url', 'webhook_url')),
  -- wartet, zugestellt, aufgegeben, or entfallen: the channel is gone, or never got what is over now.
  status         text NOT NULL CHECK (status IN ('wartet', 'zugestellt', 'aufgegeben', 'entfallen')),
  versuche       integer NOT NULL DEFAULT 0,
  -- Of the last attempt: what the receiver answered (HTTP), why it failed.
  antwort_status integer,
  fehler_de      text,
  fehler_en      text,
  -- Until when it is tried.
  frist          timestamptz NOT NULL,
  erstellt_am    timestamptz NOT NULL,
  -- When it was tried last, or decided upon without.
  versucht_am    timestamptz,
  PRIMARY KEY (mandant_id, zustellung_id),
  UNIQUE (mandant_id, alarm_id, kanal)
);
CREATE INDEX alarm_zustellungen_erstellt ON alarm_zustellungen (mandant_id, erstellt_am);

CREATE TABLE alarm_einstellungen (
  mandant_id        uuid PRIMARY KEY,
  sprache           text NOT NULL DEFAULT 'de' CHECK (sprache IN ('de', 'en')),
  -- Quiet hours: local times (HH:MM), and the days (1 is Monday) on which they begin. Null: none.
  ruhe_von          text,
  ruhe_bis          text,
  ruhe_tage         integer[] NOT NULL DEFAULT '{1,2,3,4,5,6,7}',
  -- When warnings come: sofort, stuendlich, taeglich (at a local time).
  sammeln           text NOT NULL DEFAULT 'sofort' CHECK (sammeln IN ('sofort', 'stuendlich', 'taeglich')),
  sammeln_um        text NOT NULL DEFAULT '08:00',
  -- What the webhook is signed with, sealed; null before it is made.
  geheimnisse       bytea,
  -- When the first of those that are held goes out.
  naechste_sammlung timestamptz
);
CREATE INDEX alarm_einstellungen_sammlung ON alarm_einstellungen (naechste_sammlung) WHERE naechste_sammlung IS NOT NULL;

DO $$
DECLARE
  tabelle text;
BEGIN
  FOREACH tabelle IN ARRAY ARRAY['alarme', 'alarm_zustellungen', 'alarm_einstellungen'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tabelle);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tabelle);
    EXECUTE format($policy$CREATE POLICY mandant ON %I TO zaehlwerk_anfrage
      USING (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)
      WITH CHECK (mandant_id = nullif(current_setting('zw.mandant', true), '')::uuid)$policy$, tabelle);
  END LOOP;
END $$;
GRANT SELECT, INSERT, UPDATE ON alarme, alarm_zustellungen, alarm_einstellungen TO zaehlwerk_anfrage;
