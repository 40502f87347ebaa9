/** SQL of the mails that wait. Requests add them; sending runs as the owner (jobs/versenden.ts). */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { enqueue } from '#jobs/index.ts';
import type { MandantTx } from '#platform/database/index.ts';
import type { Mail } from '#platform/mail.ts';
import type { SecretBox } from '#platform/secret-box.ts';
import { type ArtName, artOf } from './arten.ts';
import { requireCarriable } from './attachment.ts';
import { reserveMail } from './budget.ts';
import { freigeben } from './jobs/freigeben.ts';
import { versenden } from './jobs/versenden.ts';

/** One recipient, contents as they are sent. */
export interface Post {
  art: ArtName;
  mail: Mail;
  /** Seconds after which it is no longer worth sending. */
  gueltig: number;
  /** Of a kind that is counted before: whether it is held, as `reserveMails` said. */
  gehalten?: boolean;
}

/**
 * Puts a mail into the outbox, and the job that sends it, in the transaction it tells of: what is rolled back is never
 * announced. Counts it by its kind, but where that was done when it was asked for. Resolves with its id, and whether it is held there
 * until an inhaber has confirmed the own address. Throws 429 and 409 as `reserveMail` does; RangeError when its attachments are too large.
 */
export async function queueMail(
  tx: MandantTx,
  secrets: SecretBox,
  { art, mail, gueltig, gehalten: waits = false }: Post,
): Promise<{ post_id: string; gehalten: boolean }> {
  requireCarriable(mail.anhaenge);
  const { held: gehalten } = artOf(art).vorab ? { held: waits } : await reserveMail(tx, art, mail.an);
  const post_id = uuidv7();
  await tx
    .insertInto('postausgang')
    .values({
      mandant_id: tx.mandant,
      post_id,
      inhalt: secrets.seal(Buffer.from(JSON.stringify(mail))),
      gehalten,
      erstellt_am: sql`now()`,
      verfaellt_am: sql`now() + make_interval(secs => ${gueltig})`,
    })
    .execute();
  if (!gehalten) await enqueue(tx, versenden, { post_id });
  return { post_id, gehalten };
}

/** Has what was held looked at, in the transaction that confirms an address. */
export const releaseHeld = (tx: MandantTx): Promise<void> => enqueue(tx, freigeben, {});
