/** SQL of the mails that wait. Requests add them; sending runs as the owner (jobs/versenden.ts). */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { enqueue } from '#jobs/index.ts';
import type { MandantId } from '#kernel/mandant-id.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Mail } from '#platform/mail.ts';
import type { SecretBox } from '#platform/secret-box.ts';
import { requireCarriable } from './attachment.ts';
import { versenden } from './jobs/versenden.ts';

/**
 * Puts a mail into the outbox, and the job that sends it, in the transaction it tells of: what is rolled back is never
 * announced. After `validSeconds` it is no longer worth sending. Resolves with its id. Throws RangeError when its attachments are too large.
 */
export async function queueMail(
  tx: MandantTx,
  secrets: SecretBox,
  mandant: MandantId,
  mail: Mail,
  validSeconds: number,
): Promise<string> {
  requireCarriable(mail.anhaenge);
  const inhalt = secrets.seal(Buffer.from(JSON.stringify(mail)));
  const post_id = uuidv7();
  await tx
    .insertInto('postausgang')
    .values({
      mandant_id: mandant,
      post_id,
      inhalt,
      erstellt_am: sql`now()`,
      verfaellt_am: sql`now() + make_interval(secs => ${validSeconds})`,
    })
    .execute();
  await enqueue(tx, versenden, { post_id });
  return post_id;
}
