/** What is remembered of the revocation list and of the licence, as the owner writes it. */
import { passedBefore } from '#jobs/index.ts';
import type { OwnerTransaction } from '#platform/database/owner-database.ts';
import type { VerifiedLicence } from '../licence.ts';
import { NoList, readList } from '../list.ts';
import { effectiveNow, type Hindernis, type Known, objectionTo } from '../rules.ts';
import { type Keys, NotSigned } from '../signed.ts';

/** The database as its owner, or a transaction of it. */
type Client = Pick<OwnerTransaction, 'query'>;

/** What fetching needs to know of the list that is there. */
export interface KnownList extends Known {
  gueltig_bis: string;
  kid: string;
  adresse: string | null;
  etag: string | null;
}

interface Row extends Omit<KnownList, 'nummer' | 'kid'> {
  nummer: string | null;
  kid: string | null;
  frisch_bis: string | null;
  hindernis: string | null;
}

const READ = `SELECT nummer, gueltig_bis, kid, sperren, adresse, etag, frisch_bis, hindernis FROM sperrliste_bekannt`;

/** The list that is known; null where none of the keys vouches for it (any more). `frisch_bis`: not asked for again before. */
export async function readKnownList(
  client: Client,
  keys: Keys,
  lock = false,
): Promise<{ known: KnownList | null; frisch_bis: string | null }> {
  const { rows } = await client.query<Row>(`${READ}${lock ? ' FOR UPDATE' : ''}`);
  const [row] = rows;
  if (!row || row.nummer === null || row.kid === null || !keys.has(row.kid))
    return { known: null, frisch_bis: null };
  const known = { ...row, nummer: Number(row.nummer), kid: row.kid };
  return { known, frisch_bis: row.hindernis === null ? row.frisch_bis : null };
}

const USED = `INSERT INTO lizenz_einsaetze (fingerabdruck, seit, zuletzt_am) VALUES ($1, $2, $3)
  ON CONFLICT (fingerabdruck) DO UPDATE SET zuletzt_am = greatest(lizenz_einsaetze.zuletzt_am, excluded.zuletzt_am)
  RETURNING zuletzt_am`;

/**
 * Notes that the licence is in use. Resolves with the time that counts: never earlier than one that has certainly passed, so that a clock set back
 * does not make a licence last longer, and one that was ahead for hours does not end it for days.
 */
export async function noteUse(
  db: Client,
  { fingerabdruck, ausgestellt_am }: VerifiedLicence,
  clock: Date,
): Promise<Date> {
  // It cannot have been used before it was made.
  const now = effectiveNow(clock, ausgestellt_am);
  const passed = effectiveNow((await passedBefore(db, 0)) ?? new Date(0), ausgestellt_am);
  const certain = new Date(Math.min(now.getTime(), passed.getTime()));
  const values = [fingerabdruck, now.toISOString(), certain.toISOString()];
  const { rows } = await db.query<{ zuletzt_am: string }>(USED, values);
  return effectiveNow(now, rows[0]?.zuletzt_am ?? null);
}

const FAILED = `UPDATE sperrliste_bekannt SET versucht_am = $1, hindernis = $2`;

/** Notes that the list was not reached. */
export async function noteFailure(db: Client, hindernis: Hindernis, now: Date): Promise<void> {
  await db.query(FAILED, [now.toISOString(), hindernis]);
}

const CONFIRMED = `UPDATE sperrliste_bekannt
  SET versucht_am = $1, erreicht_am = $1, hindernis = NULL, frisch_bis = $2`;

/** Notes that the list that is known is still the one there is. */
export async function noteConfirmed(db: Client, now: Date, frisch_bis: Date): Promise<void> {
  await db.query(CONFIRMED, [now.toISOString(), frisch_bis.toISOString()]);
}

const TAKE = `UPDATE sperrliste_bekannt SET versucht_am = $1, erreicht_am = $1, hindernis = NULL, frisch_bis = $2,
    nummer = $3, ausgestellt_am = $4, gueltig_bis = $5, kid = $6, sperren = $7, adresse = $8, etag = $9`;

/** What came, and where from. */
export interface Received {
  body: string;
  /** Null: not from the network. */
  adresse: string | null;
  etag: string | null;
  frisch_bis: Date;
}

/** What became of it. */
export type Outcome =
  | { hindernis: Hindernis; reason: unknown }
  | { hindernis: null; nummer: number; sperren: number; neu: boolean };

/**
 * Takes a list that was received, unless something is against it; then that is noted, and the one that is known stays. An older
 * number is refused, and other contents under the same number.
 */
export async function takeList(
  db: OwnerTransaction,
  { body, adresse, etag, frisch_bis }: Received,
  keys: Keys,
  now: Date,
): Promise<Outcome> {
  const read = await readList(body, keys).catch((reason: unknown) => ({ reason }));
  if ('reason' in read) {
    const { reason } = read;
    if (!(reason instanceof NotSigned || reason instanceof NoList)) throw reason;
    const hindernis = reason instanceof NotSigned ? 'signatur_falsch' : 'keine_liste';
    await noteFailure(db, hindernis, now);
    return { hindernis, reason };
  }
  const { liste, kid } = read;
  return db.transaction(async (client) => {
    const { known } = await readKnownList(client, keys, true);
    const hindernis = objectionTo(liste, known, now);
    if (hindernis !== null) {
      await noteFailure(client, hindernis, now);
      return {
        hindernis,
        reason: { number: liste.nummer, known: known?.nummer, issued: liste.ausgestellt_am },
      };
    }
    const { nummer, ausgestellt_am, gueltig_bis, sperren } = liste;
    await client.query(TAKE, [
      ...[now.toISOString(), frisch_bis.toISOString(), nummer, ausgestellt_am, gueltig_bis, kid],
      ...[JSON.stringify(sperren), adresse, etag],
    ]);
    return { hindernis, nummer, sperren: sperren.length, neu: nummer !== known?.nummer };
  });
}
