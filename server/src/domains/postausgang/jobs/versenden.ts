import type pg from 'pg';
import Type from 'typebox';
import { uuid } from '#contracts';
import { defineJob, handle, type Job, type JobContext, TryAgain } from '#jobs/index.ts';
import type { Mail } from '#platform/mail.ts';

/** Sends one mail of the outbox. It is tried until it would come too late, whatever the number of attempts. */
export const versenden = defineJob({
  id: 'postausgang.versenden',
  version: 1,
  payload: Type.Object({ post_id: uuid() }),
  retry: { first: 30, longest: 3_600, attempts: Number.POSITIVE_INFINITY },
  // As many connections as the mailer opens.
  concurrency: 2,
});

/** How a mail left the outbox: the server took it; it would have come too late; there is no server, and it stands in the log. */
type MailEnd = 'uebergeben' | 'aufgegeben' | 'nur_log';

/** Notes it where the mail came from, in the transaction of the owner that removes the mail. */
export type NoteMailEnd = (
  client: pg.PoolClient,
  mandant: string,
  postId: string,
  end: MailEnd,
) => Promise<void>;

interface PostRow extends Record<string, unknown> {
  inhalt: Buffer;
  verfaellt_am: string;
  verfallen: boolean;
}

const READ = `SELECT inhalt, verfaellt_am, verfaellt_am <= now() AS verfallen FROM postausgang
  WHERE mandant_id = $1 AND post_id = $2`;
const REMOVE = 'DELETE FROM postausgang WHERE mandant_id = $1 AND post_id = $2';

/** The mail goes from the outbox once the server has taken it; after a crash in between it is sent again under the same id. */
export function versendenJob(
  { owner, mailer, secrets, log }: Pick<JobContext, 'owner' | 'mailer' | 'secrets' | 'log'>,
  noteEnds: readonly NoteMailEnd[] = [],
): Job {
  const end = (mandant: string, postId: string, how: MailEnd) =>
    owner.transaction(async (client) => {
      await client.query(REMOVE, [mandant, postId]);
      for (const note of noteEnds) await note(client, mandant, postId, how);
    });
  return handle(versenden, async ({ mandant, payload: { post_id }, previousError }) => {
    const ids = [mandant, post_id];
    const { rows } = await owner.query<PostRow>(READ, ids);
    const [row] = rows;
    if (!row) return { gesendet: false };
    if (row.verfallen) {
      await end(mandant, post_id, 'aufgegeben');
      log.error({ mandant, post: post_id, reason: previousError }, 'mail given up');
      return { gesendet: false };
    }
    let gesendet: boolean;
    try {
      gesendet = await mailer.send(post_id, JSON.parse(secrets.open(row.inhalt).toString()) as Mail);
    } catch (error) {
      throw new TryAgain(error, row.verfaellt_am);
    }
    await end(mandant, post_id, gesendet ? 'uebergeben' : 'nur_log');
    return { gesendet };
  });
}
