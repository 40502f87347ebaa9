/** Addresses that were stored before what is beyond ASCII had one form (`kernel/email.ts`). */
import { recordChange, SYSTEM } from '#domains/protokoll/index.ts';
import { normaliseEmail } from '#kernel/email.ts';
import { mandantId } from '#kernel/mandant-id.ts';
import { continueAsMandant, type MandantTx, onBehalfOf } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { endSignIns } from '../service/sitzungen.ts';
import { loseAddress, renameAddress } from '../store/adressen.ts';

interface Row extends Record<string, unknown> {
  mandant_id: string;
  benutzer_id: string;
  email: string;
}

/** Perhaps. Proven ones first, then the older ones: of two forms of one mailbox the first keeps it. */
const IN_OLD_FORM = `
  SELECT mandant_id, benutzer_id, email FROM benutzer
  WHERE email ~ '[^\\u0001-\\u007f]' AND email_verloren_am IS NULL
  ORDER BY email_bestaetigt_am NULLS LAST, erstellt_am`;

/** Who has the address in the new form already, and whether that user's right is the better one; nobody once it is renamed. */
const RIVAL = `
  SELECT other.mandant_id, other.benutzer_id, other.email,
    (other.email_bestaetigt_am IS NOT NULL, own.erstellt_am) >= (own.email_bestaetigt_am IS NOT NULL, other.erstellt_am) AS stays
  FROM benutzer own, benutzer other
  WHERE own.mandant_id = $1 AND own.benutzer_id = $2 AND own.email = $4 AND other.benutzer_id <> own.benutzer_id
    AND zw_adresse(other.email) = zw_adresse($3) AND other.email_verloren_am IS NULL
  FOR UPDATE OF own, other`;

/** Two accounts of one mailbox: one of them keeps it. Nothing else of the other is touched. */
async function lose(tx: MandantTx, { benutzer_id, email }: Row, now: Date): Promise<void> {
  await loseAddress(tx, benutzer_id, now.toISOString());
  await endSignIns(tx, benutzer_id);
  await recordChange(tx, tx.mandant, now, {
    akteur: SYSTEM,
    aktion: 'benutzer.adresse_verloren',
    objekt: { art: 'benutzer', id: benutzer_id, name: email },
  });
}

/** Brings one address into the new form; resolves with who lost it, if two had it. */
function rename(db: OwnerDatabase, row: Row, email: string, now: Date): Promise<Row | null> {
  const mandant = mandantId(row.mandant_id);
  return db.transaction(async (client) => {
    const { rows } = await client.query<Row & { stays: boolean }>(RIVAL, [
      mandant,
      row.benutzer_id,
      email,
      row.email,
    ]);
    const [rival] = rows;
    const tx = await continueAsMandant(client, mandant);
    const loser = rival ? (rival.stays ? row : rival) : null;
    if (loser) await onBehalfOf(tx, mandantId(loser.mandant_id), (other) => lose(other, loser, now));
    await renameAddress(tx, row.benutzer_id, row.email, email);
    return loser;
  });
}

/** All of them; done again, it finds nothing. `onLoss` hears of users who can no longer sign in. */
export async function normaliseStoredAddresses(
  db: OwnerDatabase,
  now: Date,
  onLoss: (user: { mandant_id: string; email: string }) => void,
): Promise<void> {
  const { rows } = await db.query<Row>(IN_OLD_FORM);
  for (const row of rows) {
    const email = normaliseEmail(row.email);
    const loser = email === row.email ? null : await rename(db, row, email, now);
    if (loser) onLoss({ mandant_id: loser.mandant_id, email: loser.email });
  }
}
