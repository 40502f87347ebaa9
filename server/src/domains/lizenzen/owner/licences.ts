/** Licences that are made here: made, listed, blocked and let go again. */
import { v7 as uuidv7 } from 'uuid';
import { fingerprintOf, LICENCE_TYPE, sign } from '#domains/installation/index.ts';
import { FREI, PAKETE } from '#domains/mandant/index.ts';
import { InvalidInput } from '#kernel/errors.ts';
import { toInstant, toInstantOrNull } from '#kernel/instant.ts';
import { requireName, textProblem } from '#kernel/name.ts';
import { askAsOwner } from '#platform/database/index.ts';
import type { OwnerDatabase } from '#platform/database/owner-database.ts';
import { alreadyOver, listFull, nameLength, noSuchLicence, nothingNamed } from '../errors.ts';
import { activeOf, type Keyring } from '../keyring.ts';

/** A transaction of the owner. */
type Client = Parameters<Parameters<OwnerDatabase['transaction']>[0]>[0];

/** Packages that a licence may give; `frei` needs none. */
const PACKAGES = PAKETE.map(({ paket }) => paket).filter((paket) => paket !== FREI);

/** As many as an installation is sent at once. */
export const MAX_BLOCKED = 10_000;

/** A licence that was made here; instants as ISO 8601 in UTC. */
export interface Lizenzeintrag {
  lizenz_id: string;
  fingerabdruck: string;
  kunde: string;
  paket: string;
  gueltig_bis: string | null;
  mandanten: number;
  kid: string;
  ausgestellt_am: string;
  /** Who made it. */
  ausgestellt_von: string | null;
  status: 'aktiv' | 'gesperrt';
  gesperrt_am: string | null;
  grund: string | null;
}

type Row = Omit<Lizenzeintrag, 'status'>;

const fromRow = ({ gueltig_bis, ausgestellt_am, gesperrt_am, ...row }: Row): Lizenzeintrag => ({
  ...row,
  gueltig_bis: toInstantOrNull(gueltig_bis),
  ausgestellt_am: toInstant(ausgestellt_am),
  status: gesperrt_am === null ? 'aktiv' : 'gesperrt',
  gesperrt_am: toInstantOrNull(gesperrt_am),
});

/** What is to be made. */
export interface Neu {
  kunde: string;
  paket: string;
  /** ISO 8601; null: without end. */
  gueltig_bis: string | null;
  mandanten: number;
}

/** Throws 422 for what no licence may say. */
function requireSound({ kunde, paket, gueltig_bis }: Neu, now: Date): void {
  if (kunde.length < 2 || kunde.length > 120) throw nameLength(kunde);
  requireName('kunde', kunde);
  if (!PACKAGES.includes(paket))
    throw new InvalidInput({ path: ['paket'], expected: PACKAGES, input: paket });
  if (gueltig_bis !== null && Date.parse(gueltig_bis) <= now.getTime()) throw alreadyOver(gueltig_bis);
}

const INSERT = `INSERT INTO lizenzen (lizenz_id, fingerabdruck, kunde, paket, gueltig_bis, mandanten, kid, ausgestellt_am,
    ausgestellt_von) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`;

/** What a licence is made with. */
export interface Issuing {
  keyring: Keyring;
  now: Date;
  /** Who makes it. */
  von: string | null;
  /** Where the revocation list is. */
  sperrliste: string;
}

/** What the customer gets, and what stays here. */
export interface Ausgestellt {
  lizenz: Lizenzeintrag;
  /** For `LIZENZ`; it is not kept. */
  token: string;
  /** For `LIZENZ_PRUEFSCHLUESSEL`: the public key it is signed with. */
  pruefschluessel: string;
}

/** Makes a licence, signed with the active key. Throws 422 for a name, package or date that cannot be. */
export async function makeLicence(client: Client, input: Neu, issuing: Issuing): Promise<Ausgestellt> {
  const { keyring, now, von, sperrliste } = issuing;
  const kunde = input.kunde.trim();
  requireSound({ ...input, kunde }, now);
  const key = activeOf(await keyring(askAsOwner(client)));
  const lizenz_id = uuidv7();
  const gueltig_bis = toInstantOrNull(input.gueltig_bis);
  const ausgestellt_am = now.toISOString();
  const { paket, mandanten } = input;
  const said = { lizenz_id, kunde, paket, gueltig_bis, mandanten, ausgestellt_am };
  const token = await sign({ ...said, sperrliste }, LICENCE_TYPE, key.kid, key.key);
  const fingerabdruck = fingerprintOf(token);
  await client.query(INSERT, [
    ...[lizenz_id, fingerabdruck, kunde, paket, gueltig_bis, mandanten, key.kid, ausgestellt_am, von],
  ]);
  const row = { ...said, fingerabdruck, kid: key.kid, ausgestellt_von: von, gesperrt_am: null, grund: null };
  return { lizenz: fromRow(row), token, pruefschluessel: JSON.stringify(key.jwk) };
}

const LICENCES = `SELECT l.lizenz_id, l.fingerabdruck, l.kunde, l.paket, l.gueltig_bis, l.mandanten, l.kid, l.ausgestellt_am,
    l.ausgestellt_von, s.gesperrt_am, s.grund
  FROM lizenzen l LEFT JOIN lizenz_sperren s USING (lizenz_id)`;
const PAGE = `${LICENCES}
  WHERE $1::timestamptz IS NULL OR (l.ausgestellt_am, l.lizenz_id) < ($1, $2::uuid)
  ORDER BY l.ausgestellt_am DESC, l.lizenz_id DESC LIMIT $3`;

/** Where a page begins: behind this row. */
export type Behind = readonly [ausgestellt_am: string, lizenz_id: string] | null;

/** Licences, the latest first. */
export async function listLicences(
  client: Pick<OwnerDatabase, 'query'>,
  behind: Behind,
  limit: number,
): Promise<Lizenzeintrag[]> {
  const { rows } = await client.query<Row>(PAGE, [behind?.[0] ?? null, behind?.[1] ?? null, limit]);
  return rows.map(fromRow);
}

/** Which licences are meant: those that all that is given agrees with. */
export interface Wahl {
  lizenz_id?: string | null | undefined;
  fingerabdruck?: string | null | undefined;
  kunde?: string | null | undefined;
}

const CHOSEN = `${LICENCES}
  WHERE ($1::uuid IS NULL OR l.lizenz_id = $1) AND ($2::text IS NULL OR l.fingerabdruck = $2)
    AND ($3::text IS NULL OR l.kunde = $3)
  ORDER BY l.lizenz_id`;

async function choose(client: Client, wahl: Wahl): Promise<Lizenzeintrag[]> {
  const lizenz_id = wahl.lizenz_id ?? null;
  const fingerabdruck = wahl.fingerabdruck?.trim().toLowerCase() ?? null;
  const kunde = wahl.kunde?.trim() ?? null;
  if (lizenz_id === null && fingerabdruck === null && kunde === null) throw nothingNamed();
  const { rows } = await client.query<Row>(CHOSEN, [lizenz_id, fingerabdruck, kunde]);
  if (rows.length === 0) throw noSuchLicence();
  return rows.map(fromRow);
}

/** What came of it. */
export interface Geaendert {
  /** Those that were meant. */
  lizenzen: Lizenzeintrag[];
  /** Those of them that it was otherwise with before. */
  geaendert: Lizenzeintrag[];
  /** Number of the list now. */
  nummer: number;
}

const BLOCK = `INSERT INTO lizenz_sperren (lizenz_id, fingerabdruck, grund, gesperrt_am)
  SELECT lizenz_id, fingerabdruck, $2, $3 FROM lizenzen WHERE lizenz_id = ANY($1)`;
const UNBLOCK = 'DELETE FROM lizenz_sperren WHERE lizenz_id = ANY($1)';
const COUNT = 'SELECT count(*)::int AS anzahl FROM lizenz_sperren';
const CHANGED = 'UPDATE sperrliste_stand SET geaendert_am = greatest(geaendert_am, $1)';
const NUMBER = 'SELECT nummer FROM sperrliste_stand';
/** Changes of the list come one after the other: the second sees what the first has done. */
const LOCK = 'SELECT FROM sperrliste_stand FOR UPDATE';

/** Does it to those that it changes something for; the list gets another number only then. */
async function change(
  client: Client,
  wahl: Wahl,
  status: Lizenzeintrag['status'],
  now: Date,
  apply: (ids: string[]) => Promise<unknown>,
): Promise<Geaendert> {
  await client.query(LOCK);
  const lizenzen = await choose(client, wahl);
  const geaendert = lizenzen.filter((each) => each.status !== status);
  if (geaendert.length > 0) {
    await apply(geaendert.map(({ lizenz_id }) => lizenz_id));
    await client.query(CHANGED, [now.toISOString()]);
  }
  const { rows } = await client.query<{ nummer: string }>(NUMBER);
  return { lizenzen, geaendert, nummer: Number(rows[0]?.nummer) };
}

/**
 * Blocks the licences that are meant, all of a customer where only that is given. Throws 404 when there is none, 409 when the list
 * is full, 422 when nothing names one.
 */
export function blockLicences(client: Client, wahl: Wahl, grund: string, now: Date): Promise<Geaendert> {
  const problem = textProblem(grund);
  if (problem !== null)
    throw new InvalidInput({
      path: ['grund'],
      reason: { de: `grund ${problem.de}`, en: `grund ${problem.en}` },
      input: grund,
    });
  return change(client, wahl, 'gesperrt', now, async (ids) => {
    await client.query(BLOCK, [ids, grund, now.toISOString()]);
    const { rows } = await client.query<{ anzahl: number }>(COUNT);
    if ((rows[0]?.anzahl ?? 0) > MAX_BLOCKED) throw listFull();
  });
}

/** Takes the licences that are meant off the list. Throws 404 when there is none, 422 when nothing names one. */
export const unblockLicences = (client: Client, wahl: Wahl, now: Date): Promise<Geaendert> =>
  change(client, wahl, 'aktiv', now, (ids) => client.query(UNBLOCK, [ids]));
