/** Alarms on a database of their own: Mandanten with channels, and the jobs that deliver. */

import { randomBytes } from 'node:crypto';
import { alarmeJobs } from '#domains/alarme/index.ts';
import type { Adressen } from '#domains/mandant/index.ts';
import type { JobContext } from '#jobs/index.ts';
import type { Runner } from '#jobs/runner.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import { parseConfig } from '#platform/config.ts';
import { createDocuments } from '#platform/documents.ts';
import { createOutbound, networksOf } from '#platform/outbound.ts';
import { createSecretBox } from '#platform/secret-box.ts';
import { createJobsBench, type JobsBench, newMandant } from './jobs.ts';
import { createTestClock, type TestClock } from './service.ts';

export interface AlarmBench extends JobsBench {
  clock: TestClock;
  context: JobContext;
  /** A Mandant with these channels, in Berlin; people at the addresses have agreed to get alarms. */
  mandantWith(adressen: Adressen, email?: string[]): Promise<MandantId>;
  /** Runs what is due, as one process does (the first unless another is named); resolves with how many runs have succeeded. */
  runDue(process?: number): Promise<number>;
  /** The deliveries of a Mandant in the order of their alarms, by channel. */
  deliveries(mandant: MandantId): Promise<DeliveryRow[]>;
  /** What waits for its next attempt is due now. */
  makeDue(): Promise<void>;
}

interface DeliveryRow extends Record<string, unknown> {
  zustellung_id: string;
  alarm_id: string;
  art: string;
  kanal: string;
  status: string;
  versuche: number;
  antwort_status: number | null;
  fehler_de: string | null;
}

/** What jobs of alarms work with: a mailer that takes everything, and receivers on this machine. */
function contextOf({ db, owner, log }: JobsBench, clock: TestClock, timeout: number): JobContext {
  const config = parseConfig({
    NODE_ENV: 'test',
    BASE_URL: 'https://zw.example.org',
    SMTP_URL: 'smtp://127.0.0.1:1',
  });
  const mailer = { send: async () => true, close: () => undefined };
  const outbound = createOutbound(networksOf(['127.0.0.0/8']), { timeout });
  const secrets = createSecretBox(randomBytes(32));
  // Starts no thread before the first document, and alarms make none.
  const documents = createDocuments(log);
  return { db, owner, log, clock, secrets, config, documents, mailer, outbound };
}

async function insertMandant(
  { sql }: JobsBench,
  { secrets }: JobContext,
  adressen: Adressen,
  email: string[],
): Promise<MandantId> {
  const mandant = newMandant();
  await sql(
    `INSERT INTO mandanten (mandant_id, firma, paket, zeitzone) VALUES ($1, 'Muster', 'frei', 'Europe/Berlin')`,
    [mandant],
  );
  const sealed = secrets.seal(Buffer.from(JSON.stringify(adressen)));
  await sql('INSERT INTO alarmkanaele (mandant_id, email, adressen) VALUES ($1, $2, $3)', [
    mandant,
    email,
    sealed,
  ]);
  await sql(
    `INSERT INTO postempfaenger (mandant_id, art, adresse, bestaetigt_am)
     SELECT $1, 'alarm', lower(adresse), now() FROM unnest($2::text[]) AS adresse`,
    [mandant, email],
  );
  return mandant;
}

/** `timeout`: milliseconds after which a receiver is given up; longer than a busy machine takes to answer, but where a test waits for it. */
export async function createAlarmBench(timeout = 600_000): Promise<AlarmBench> {
  const bench = await createJobsBench();
  const clock = createTestClock();
  const context = contextOf(bench, clock, timeout);
  const processes = new Map<number, Runner>();
  return {
    ...bench,
    clock,
    context,
    mandantWith: (adressen, email = []) => insertMandant(bench, context, adressen, email),
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
