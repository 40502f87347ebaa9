/** The Mandanten as operators see them: packages, counts and sums, nothing of what a Mandant has in it. As the owner. */
import type pg from 'pg';
import { readSums, type Sums } from './sums.ts';

export interface Selection {
  /** A part of the company's name or of a user's address. */
  suche?: string | undefined;
  paket?: string | undefined;
  status?: string | undefined;
  mandant_id?: string | undefined;
}

export interface MandantSeen {
  mandant_id: string;
  firma: string;
  status: 'aktiv' | 'gekündigt';
  erstellt_am: string;
  gekuendigt_am: string | null;
  zeitzone: string;
  demo: boolean;
  paket: string;
  paket_bis: string | null;
  paket_quelle: 'frei' | 'buchung' | 'lizenz' | 'betreiber';
  abrechnungsstatus: 'keine' | 'aktiv' | 'probe' | 'zahlung_offen' | 'gekündigt';
  betreiber_notiz: string | null;
  anfragen_je_minute: number | null;
  ereignisse_je_minute: number | null;
  benutzer: number;
  schluessel: number;
  letzter_aufruf_am: string | null;
  monat: Sums;
}

type Account = Omit<MandantSeen, 'letzter_aufruf_am' | 'monat'>;

const SELECT = `
  SELECT m.mandant_id, m.firma, m.status, m.erstellt_am, m.gekuendigt_am, m.zeitzone, m.demo, m.paket, m.paket_bis, m.paket_quelle,
    m.abrechnungsstatus, m.betreiber_notiz, m.anfragen_je_minute, m.ereignisse_je_minute,
    (SELECT count(*) FROM benutzer b
     WHERE b.mandant_id = m.mandant_id AND b.aktiv AND b.email_verloren_am IS NULL)::int AS benutzer,
    (SELECT count(*) FROM schluessel s WHERE s.mandant_id = m.mandant_id AND s.gesperrt_am IS NULL)::int AS schluessel
  FROM mandanten m
  WHERE ($1::text IS NULL OR m.firma ILIKE $1
      OR EXISTS (SELECT FROM benutzer b WHERE b.mandant_id = m.mandant_id AND b.email ILIKE $1))
    AND ($2::text IS NULL OR m.paket = $2) AND ($3::text IS NULL OR m.status = $3)
    AND ($4::uuid IS NULL OR m.mandant_id = $4)
    AND ($5::timestamptz IS NULL OR (m.erstellt_am, m.mandant_id) < ($5, $6::uuid))
  ORDER BY m.erstellt_am DESC, m.mandant_id DESC LIMIT $7`;

const LAST_CALLS = 'SELECT mandant_id, letzter_aufruf_am FROM zaehlstaende WHERE mandant_id = ANY($1)';

/** The text anywhere, whatever signs it has. */
const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** The first day of the month in which it is `now` in a zone. */
export const firstOfMonth = (now: Date, zone: string): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime())
    .toZonedDateTimeISO(zone)
    .toPlainDate()
    .with({ day: 1 })
    .toString();

/** The newest first, at most `limit`, behind the one that began at `after[0]` and has the id `after[1]`; months are local. */
export async function readMandanten(
  client: pg.PoolClient,
  { suche, paket, status, mandant_id }: Selection,
  { limit, after, now }: { limit: number; after: readonly [string, string] | null; now: Date },
): Promise<MandantSeen[]> {
  const { rows } = await client.query<Account>(SELECT, [
    ...[suche ? anywhere(suche) : null, paket ?? null, status ?? null, mandant_id ?? null],
    ...[after?.[0] ?? null, after?.[1] ?? null, limit],
  ]);
  const ids = rows.map((row) => row.mandant_id);
  const since = rows.map(({ zeitzone }) => firstOfMonth(now, zeitzone));
  const months = await readSums(client, ids, since);
  const calls = await client.query<{ mandant_id: string; letzter_aufruf_am: string | null }>(LAST_CALLS, [
    ids,
  ]);
  const lastOf = new Map(calls.rows.map((row) => [row.mandant_id, row.letzter_aufruf_am]));
  const none: Sums = { ereignisse: 0, kosten_eur: '0' };
  return rows.map((row) => ({
    ...row,
    letzter_aufruf_am: lastOf.get(row.mandant_id) ?? null,
    monat: months.get(row.mandant_id) ?? none,
  }));
}
