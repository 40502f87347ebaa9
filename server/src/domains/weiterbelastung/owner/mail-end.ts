/** What became of the mail with a statement, noted in the transaction in which it leaves the outbox. */
import type { NoteMailEnd } from '#domains/postausgang/index.ts';

const TAKEN = `UPDATE abrechnung_versendungen SET uebergeben_am = now()
  WHERE mandant_id = $1 AND post_id = $2`;
const FAILED = `UPDATE abrechnung_versendungen SET status = 'fehlgeschlagen', fehlgrund = $3, erledigt_am = now()
  WHERE mandant_id = $1 AND post_id = $2 AND status = 'versendet'`;

const REASONS = { aufgegeben: 'nicht_angenommen', nur_log: 'kein_mailserver' } as const;

/** A mail with something else changes nothing. */
export const noteStatementEnd: NoteMailEnd = async (client, mandant, postId, end) => {
  if (end === 'uebergeben') await client.query(TAKEN, [mandant, postId]);
  else await client.query(FAILED, [mandant, postId, REASONS[end]]);
};
