/** Alarms on a database of their own: Mandanten with channels, and the jobs that deliver. */
import { randomBytes } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { alarmeJobs } from '#domains/alarme/index.ts';
import type { Adressen } from '#domains/mandant/index.ts';
import type { JobContext, Runner } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { parseConfig } from '#platform/config.ts';
import { createOutbound, parseNetwork } from '#platform/outbound.ts';
import { createSecretBox } from '#platform/secret-box.ts';
import { createJobsBench, type JobsBench, newMandant } from './jobs.ts';
import { createTestClock, type TestClock } from './service.ts';

export interface AlarmBench extends JobsBench {
  clock: TestClock;
  context: JobContext;
  /** A Mandant with these channels, in Berlin. */
  mandantWith(adressen: Adressen, email?: string[]): Promise<MandantId>;
  /** Runs what is due, as one process does (the first unless another is named); resolves with how many runs have succeeded. */
  runDue(process?: number): Promise<number>;
  /** The deliveries of a Mandant in the order of their alarms, by channel. */
  deliveries(mandant: MandantId): Promise<DeliveryRow[]>;
  /** What waits for its next attempt is due now. */
  makeDue(): Promise<void>;
}

export interface DeliveryRow extends Record<string, unknown> {
  zustellung_id: string;
  alarm_id: string;
  art: string;
  kanal: string;
  status: string;
  versuche: number;
  antwort_status: number | null;
  fehler_de: string | null;
}

const LOOPBACK = parseNetwork('127.0.0.0/8') as NonNullable<ReturnType<typeof parseNetwork>>;

/** `timeout`: milliseconds after which a receiver is given up. */
export async function createAlarmBench(timeout = 1_000): Promise<AlarmBench> {
  const bench = await createJobsBench();
  const clock = createTestClock();
  const secrets = createSecretBox(randomBytes(32));
  const config = parseConfig({ NODE_ENV: 'test', BASE_URL: 'https://zw.example.org' });
  const mailer = { send: async () => undefined, close: () => undefined };
  const outbound = createOutbound([LOOPBACK], { timeout });
  const { db, owner, log } = bench;
  const context: JobContext = { db, owner, log, clock, secrets, config, mailer, outbound };
  const processes = new Map<number, Runner>();
  return {
    ...bench,
    clock,
    context,
    async mandantWith(adressen, email = []) {
      const mandant = newMandant();
      await bench.sql(
        `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) VALUES ($1, 'Muster', 'frei', 'Europe/Berlin')`,
        [mandant],
      );
      await bench.sql('INSERT INTO alarmkanaele (mandant_id, email, adressen) VALUES ($1, $2, $3)', [
        mandant,
        email,
        secrets.seal(Buffer.from(JSON.stringify(adressen))),
      ]);
      return mandant;
    },
    runDue: (process = 0) =>
      processes.getOrInsertComputed(process, () => bench.runner(...alarmeJobs(context))).runDue(),
    deliveries: (mandant) =>
      bench.sql<DeliveryRow>(
        `SELECT z.*, a.art FROM alarm_zustellungen z JOIN alarme a USING (mandant_id, alarm_id)
         WHERE mandant_id = $1 ORDER BY alarm_id, kanal`,
        [mandant],
      ),
    makeDue: async () => {
      await bench.sql('UPDATE auftraege SET faellig_am = now() WHERE NOT geplant');
    },
  };
}

/** An alarm with a delivery through the general webhook, as rows; resolves with their ids. */
export async function putAlarm(
  sql: (text: string, values: unknown[]) => Promise<unknown>,
  mandant: string,
  {
    stufe = 'warnen',
    status = 'aufgegeben',
    kanal = 'webhook_url',
    zeitpunkt = new Date().toISOString(),
  } = {},
): Promise<{ alarmId: string; zustellungId: string }> {
  const [alarmId, zustellungId] = [uuidv7({ msecs: Date.parse(zeitpunkt) }), uuidv7()];
  await sql(
    `INSERT INTO alarme (mandant_id, alarm_id, art, ursache, stufe, titel_de, titel_en, text_de, text_en, pfad, zeitpunkt,
       verteilt_am)
     VALUES ($1, $2::uuid, 'alarm', $2::uuid::text, $3, 'Titel', 'Headline', 'Text', 'Text', '/befunde/1', $4, $4)`,
    [mandant, alarmId, stufe, zeitpunkt],
  );
  await sql(
    `INSERT INTO alarm_zustellungen (mandant_id, zustellung_id, alarm_id, kanal, status, versuche, antwort_status, fehler_de,
       fehler_en, frist, erstellt_am, versucht_am)
     VALUES ($1, $2, $3, $4, $5, 2, 410, 'Der Empfänger hat mit 410 geantwortet.', 'The receiver answered with 410.', $6, $6, $6)`,
    [mandant, zustellungId, alarmId, kanal, status, zeitpunkt],
  );
  return { alarmId, zustellungId };
}
