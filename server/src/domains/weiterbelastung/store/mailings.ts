/** SQL of statements that go by mail. Months are `YYYY-MM`, times ISO 8601 in UTC. */
import { sql } from 'kysely';
import type { MandantTx } from '#platform/database/index.ts';

/**
 * Its figures do not add up; it is larger than a mail carries; nobody tries to make it any more; there is no mail server; the mail
 * server has not taken it in time; the receiver wants none.
 */
export type FailureReason =
  | 'unstimmig'
  | 'zu_gross'
  | 'aufgegeben'
  | 'kein_mailserver'
  | 'nicht_angenommen'
  | 'abgemeldet';

export interface Mailing {
  versendung_id: string;
  monat: string;
  referenz: string;
  email: string;
  /** `versendet`: in the outbox. */
  status: 'wartet' | 'versendet' | 'fehlgeschlagen';
  angefordert_am: string;
  angefordert_von: string | null;
  erledigt_am: string | null;
  /** The mail in the outbox; null for those that never got there, and those of before this was kept. */
  post_id: string | null;
  /** When the mail server took it. */
  uebergeben_am: string | null;
  /** Null for what went or waits, and for what failed before reasons were kept. */
  fehlgrund: FailureReason | null;
  /** Of the PDF that went; null where none did, or of before this was kept. */
  sha256: string | null;
}

/** How it ended: `fehlgrund` is null exactly where it went. */
export type MailingEnd =
  | { status: 'versendet'; fehlgrund: null; post_id: string; sha256: string }
  | { status: 'fehlgeschlagen'; fehlgrund: FailureReason; post_id: null; sha256: null };

const first = (monat: string) => `${monat}-01`;

const select = (tx: MandantTx) =>
  tx
    .selectFrom('abrechnung_versendungen')
    .select([
      'versendung_id',
      'referenz',
      'email',
      'status',
      'angefordert_am',
      'angefordert_von',
      'erledigt_am',
      'post_id',
      'uebergeben_am',
      'fehlgrund',
      'sha256',
    ])
    .select(sql<string>`to_char(monat, 'YYYY-MM')`.as('monat'))
    .where('mandant_id', '=', tx.mandant)
    .$narrowType<Pick<Mailing, 'status' | 'fehlgrund'>>();

/** The latest first, at most `limit`, older than `before`. */
export function listMailings(
  tx: MandantTx,
  { limit, before }: { limit: number; before: string | null },
): Promise<Mailing[]> {
  const query = select(tx).orderBy('versendung_id', 'desc').limit(limit);
  return (before === null ? query : query.where('versendung_id', '<', before)).execute();
}

export const readMailing = (tx: MandantTx, id: string): Promise<Mailing | undefined> =>
  select(tx).where('versendung_id', '=', id).executeTakeFirst();

/** Held until the transaction ends. */
export const lockMailing = (tx: MandantTx, id: string): Promise<Mailing | undefined> =>
  select(tx).where('versendung_id', '=', id).forUpdate().executeTakeFirst();

/** The references whose statement of the month went, or is about to. */
export async function mailedReferences(tx: MandantTx, monat: string): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('abrechnung_versendungen')
    .select('referenz')
    .distinct()
    .where('mandant_id', '=', tx.mandant)
    .where('monat', '=', first(monat))
    .where('status', '!=', 'fehlgeschlagen')
    .execute();
  return new Set(rows.map(({ referenz }) => referenz));
}

export async function insertMailing(
  tx: MandantTx,
  row: Omit<Mailing, 'erledigt_am' | 'status' | 'fehlgrund' | 'post_id' | 'uebergeben_am' | 'sha256'>,
): Promise<void> {
  await tx
    .insertInto('abrechnung_versendungen')
    .values({ ...row, monat: first(row.monat), status: 'wartet', mandant_id: tx.mandant })
    .execute();
}

export async function endMailing(
  tx: MandantTx,
  id: string,
  { status, fehlgrund, post_id, sha256, erledigt_am }: MailingEnd & { erledigt_am: string },
): Promise<void> {
  await tx
    .updateTable('abrechnung_versendungen')
    .set({ status, fehlgrund, post_id, sha256, erledigt_am })
    .where('mandant_id', '=', tx.mandant)
    .where('versendung_id', '=', id)
    .execute();
}
