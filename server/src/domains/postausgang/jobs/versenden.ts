/** Sends what waits in the outbox. Several instances share the work; a mail is removed once the server has taken it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import type { Log } from '#platform/log.ts';
import type { Mail, Mailer } from '#platform/mail.ts';
import type { SecretBox } from '#platform/secret-box.ts';

export interface PostOptions {
  db: OwnerDatabase;
  mailer: Mailer;
  secrets: SecretBox;
  log: Log;
}

export interface PostSender {
  /** Sends what is due now; resolves with how many mails went out. */
  sendDue(): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

const IDLE_PAUSE = 1_000;
const FIRST_WAIT_SECONDS = 30;
const LONGEST_WAIT_SECONDS = 3_600;
/** A mail that was taken up by an instance which then died is taken up again after this long. */
const CLAIM = '5 minutes';

interface PostRow {
  mandant_id: string;
  post_id: string;
  inhalt: Buffer;
  versuche: number;
}

// Claimed by moving the next attempt ahead, so that no transaction is open while the mail server is talked to.
const CLAIM_NEXT = `UPDATE postausgang SET versuche = versuche + 1, naechster_versuch = now() + interval '${CLAIM}'
  WHERE (mandant_id, post_id) = (SELECT mandant_id, post_id FROM postausgang WHERE naechster_versuch <= now()
    ORDER BY naechster_versuch FOR UPDATE SKIP LOCKED LIMIT 1)
  RETURNING mandant_id, post_id, inhalt, versuche`;
const REMOVE = 'DELETE FROM postausgang WHERE mandant_id = $1 AND post_id = $2';
const REMOVE_EXPIRED =
  'DELETE FROM postausgang WHERE verfaellt_am <= now() RETURNING mandant_id, post_id, fehler';
const POSTPONE = `UPDATE postausgang SET fehler = $3, naechster_versuch = now() + make_interval(secs => $4)
  WHERE mandant_id = $1 AND post_id = $2`;

const waitAfter = (attempts: number) =>
  Math.min(FIRST_WAIT_SECONDS * 2 ** (attempts - 1), LONGEST_WAIT_SECONDS);

export function createPostSender({ db, mailer, secrets, log }: PostOptions): PostSender {
  let stopping = false;
  let running: Promise<void> | null = null;

  const sendOne = async (row: PostRow): Promise<boolean> => {
    const ids = [row.mandant_id, row.post_id];
    try {
      await mailer.send(row.post_id, JSON.parse(secrets.open(row.inhalt).toString()) as Mail);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.warn(
        { mandant: row.mandant_id, post: row.post_id, attempt: row.versuche, reason },
        'mail not sent',
      );
      await db.query(POSTPONE, [...ids, reason, waitAfter(row.versuche)]);
      return false;
    }
    await db.query(REMOVE, ids);
    log.info({ mandant: row.mandant_id, post: row.post_id }, 'mail sent');
    return true;
  };

  const sendDue = async (): Promise<number> => {
    let sent = 0;
    for (const { mandant_id, post_id, fehler } of (await db.query(REMOVE_EXPIRED)).rows)
      log.error({ mandant: mandant_id, post: post_id, reason: fehler }, 'mail given up');
    while (!stopping) {
      const { rows } = await db.query<PostRow & Record<string, unknown>>(CLAIM_NEXT);
      if (!rows[0]) break;
      if (await sendOne(rows[0])) sent += 1;
    }
    return sent;
  };

  const loop = async (): Promise<void> => {
    while (!stopping) {
      await sendDue().catch((error: unknown) => log.warn({ err: error }, 'outbox not reached'));
      if (!stopping) await delay(IDLE_PAUSE);
    }
  };

  return {
    sendDue,
    start() {
      running = loop();
    },
    async stop() {
      stopping = true;
      await running;
      mailer.close();
    },
  };
}
