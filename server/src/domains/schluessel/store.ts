/** SQL of API keys. Instants go in and come out as ISO 8601 in UTC. */
import type { Scope } from '#contracts';
import type { MandantTx, RequestClient } from '#platform/database/index.ts';

export interface SchluesselRow {
  mandant_id: string;
  schluessel_id: string;
  name: string;
  anfang: string;
  letzte_vier: string;
  bereiche: Scope[];
  projekt: string | null;
  erstellt_am: string;
  gesperrt_am: string | null;
  zuletzt_benutzt_am: string | null;
  anfragen_je_minute: number | null;
  ereignisse_je_minute: number | null;
}

const SCHLUESSEL_COLUMNS = [
  'mandant_id',
  'schluessel_id',
  'name',
  'anfang',
  'letzte_vier',
  'bereiche',
  'projekt',
  'erstellt_am',
  'gesperrt_am',
  'zuletzt_benutzt_am',
  'anfragen_je_minute',
  'ereignisse_je_minute',
] as const;

/** Nothing but scopes was ever written there. */
type Scopes = Pick<SchluesselRow, 'bereiche'>;

export interface FoundSchluessel {
  mandant_id: string;
  schluessel_id: string;
  bereiche: Scope[];
  projekt: string | null;
  /** Blocked itself, or with its Mandant. */
  gesperrt: boolean;
  anfragen_je_minute: number | null;
  ereignisse_je_minute: number | null;
  mandant_anfragen_je_minute: number | null;
  mandant_ereignisse_je_minute: number | null;
  /** The same of all keys. */
  annahme_ab: string | null;
}

/** The keys with these hashes, in their order; undefined for those that nobody has. */
export async function findSchluessel(
  client: RequestClient,
  hashes: Buffer[],
): Promise<(FoundSchluessel | undefined)[]> {
  const { rows } = await client.query<FoundSchluessel & { nr: number }>({
    name: 'schluessel_finden',
    text: `SELECT nr::int, gefunden.*,
      (SELECT to_char(annahme_ab AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') FROM aufbewahrung) AS annahme_ab
    FROM unnest($1::bytea[]) WITH ORDINALITY AS gesucht (hash, nr), zw_schluessel_mit_kontingent(hash) AS gefunden`,
    values: [hashes],
  });
  const found = new Array<FoundSchluessel | undefined>(hashes.length).fill(undefined);
  for (const { nr, ...row } of rows) found[nr - 1] = row;
  return found;
}

export type NewSchluessel = Omit<SchluesselRow, 'gesperrt_am' | 'zuletzt_benutzt_am'> & { hash: Buffer };

export function insertSchluessel(tx: MandantTx, schluessel: NewSchluessel): Promise<SchluesselRow> {
  return tx
    .insertInto('schluessel')
    .values(schluessel)
    .returning(SCHLUESSEL_COLUMNS)
    .$narrowType<Scopes>()
    .executeTakeFirstOrThrow();
}

/** Keys of the Mandant, blocked ones too, oldest first, at most this many: those behind the one with this time and id. */
export function listSchluessel(
  tx: MandantTx,
  limit: number,
  after: { erstellt_am: string; schluessel_id: string } | null,
): Promise<SchluesselRow[]> {
  return tx
    .selectFrom('schluessel')
    .select(SCHLUESSEL_COLUMNS)
    .$narrowType<Scopes>()
    .$if(after !== null, (query) => {
      const { erstellt_am, schluessel_id } = after as NonNullable<typeof after>;
      return query.where((eb) =>
        eb(eb.refTuple('erstellt_am', 'schluessel_id'), '>', eb.tuple(erstellt_am, schluessel_id)),
      );
    })
    .orderBy('erstellt_am')
    .orderBy('schluessel_id')
    .limit(limit)
    .execute();
}

/** Whether the Mandant has a key that is not blocked. */
export async function hasActiveSchluessel(tx: MandantTx): Promise<boolean> {
  const row = await tx
    .selectFrom('schluessel')
    .select('schluessel_id')
    .where('gesperrt_am', 'is', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export function readSchluessel(tx: MandantTx, schluesselId: string): Promise<SchluesselRow | undefined> {
  return tx
    .selectFrom('schluessel')
    .select(SCHLUESSEL_COLUMNS)
    .$narrowType<Scopes>()
    .where('schluessel_id', '=', schluesselId)
    .executeTakeFirst();
}

/** Names of keys, blocked ones too, by id. */
export function readKeyNames(
  tx: MandantTx,
  ids: readonly string[],
): Promise<Pick<SchluesselRow, 'schluessel_id' | 'name'>[]> {
  return tx
    .selectFrom('schluessel')
    .select(['schluessel_id', 'name'])
    .where('schluessel_id', 'in', ids)
    .orderBy('schluessel_id')
    .execute();
}

/** The key, which nobody else changes until the transaction ends. */
export function lockSchluessel(tx: MandantTx, schluesselId: string): Promise<SchluesselRow | undefined> {
  return tx
    .selectFrom('schluessel')
    .select(SCHLUESSEL_COLUMNS)
    .$narrowType<Scopes>()
    .where('schluessel_id', '=', schluesselId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Blocks a key for good; a repeated call keeps the first instant. */
export function blockSchluessel(
  tx: MandantTx,
  schluesselId: string,
  now: string,
): Promise<SchluesselRow | undefined> {
  return tx
    .updateTable('schluessel')
    .set((eb) => ({
      gesperrt_am: eb.fn.coalesce('gesperrt_am', eb.cast<string>(eb.val(now), 'timestamptz')),
    }))
    .where('schluessel_id', '=', schluesselId)
    .returning(SCHLUESSEL_COLUMNS)
    .$narrowType<Scopes>()
    .executeTakeFirst();
}

/** Sets what the key may send in a minute. */
export async function updateLimits(
  tx: MandantTx,
  schluesselId: string,
  limits: Pick<SchluesselRow, 'anfragen_je_minute' | 'ereignisse_je_minute'>,
): Promise<void> {
  await tx.updateTable('schluessel').set(limits).where('schluessel_id', '=', schluesselId).execute();
}

export async function recordSchluesselUse(tx: MandantTx, schluesselId: string, now: string): Promise<void> {
  await tx
    .updateTable('schluessel')
    .set({ zuletzt_benutzt_am: now })
    .where('schluessel_id', '=', schluesselId)
    .execute();
}
