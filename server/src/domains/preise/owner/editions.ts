/** Editions of the price list: taken, pinned, gone back from. Only one at a time changes what holds. */
import { createHash } from 'node:crypto';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Provider } from '@pydantic/genai-prices';
import type pg from 'pg';
import { enqueueForInstallation } from '#jobs/index.ts';
import type { OwnerTransaction } from '#platform/database/owner-database.ts';
import type { Asking } from '../asking.ts';
import { listeGewechselt } from '../jobs/liste-gewechselt.ts';
import { countModels, doubtsAbout } from '../list/doubts.ts';
import { byAge, type Edition, inForceOf } from '../list/in-force.ts';
import { createPriceData, PACKAGED, type PriceData, readPackaged } from '../list/price-data.ts';
import { BadPriceList, readList } from '../list/read-list.ts';

type Client = Pick<pg.ClientBase, 'query'>;
type Owner = Pick<OwnerTransaction, 'transaction'>;

/** Editions that are kept, beside the one that holds and the pinned one. */
const KEPT = 20;
/** Many times what the list has grown to. */
export const MAX_LIST_BYTES = 16 * 2 ** 20;

const EDITIONS = `SELECT nummer, name, sha256, stand, herkunft, aufgenommen_am, bestaetigt_am, modelle, angeheftet, abgelehnt,
    gemeldet_am
  FROM preislisten ORDER BY nummer`;
const DATA = 'SELECT name, stand, daten FROM preislisten WHERE nummer = $1';

/** All editions, by number. */
export const readEditions = async (db: Asking): Promise<Edition[]> =>
  (await db.query<Edition>(EDITIONS)).rows;

const unpack = (daten: Buffer) => readList(zstdDecompressSync(daten, { maxOutputLength: MAX_LIST_BYTES }));

/** The list of an edition; null when it is gone. Throws `BadPriceList` when this version does not read it. */
export async function loadEdition(db: Asking, nummer: number): Promise<PriceData | null> {
  const { rows } = await db.query<{ name: string; stand: string; daten: Buffer }>(DATA, [nummer]);
  const [row] = rows;
  return row ? createPriceData(row.name, row.stand, unpack(row.daten)) : null;
}

/** Changes editions; calls that wait for a price have their turn when another one holds afterwards. */
function change<T>(db: Owner, work: (client: Client) => Promise<T>): Promise<T> {
  return db.transaction(async (client) => {
    await client.query('LOCK TABLE preislisten IN SHARE ROW EXCLUSIVE MODE');
    const before = inForceOf(await readEditions(client));
    const done = await work(client);
    const after = inForceOf(await readEditions(client));
    if (after && after.nummer !== before?.nummer)
      await enqueueForInstallation(client, listeGewechselt, { nummer: after.nummer });
    return done;
  });
}

/** An edition that is offered. */
export interface Offer {
  bytes: Buffer;
  herkunft: Edition['herkunft'];
  /** The day it is of. */
  stand: string;
  /** When its source had it, ISO 8601. */
  bestaetigt_am: string;
}

/** What became of it. */
export interface Taken {
  edition: Edition;
  /** Whether it was not known before. */
  neu: boolean;
  /** The one that holds now. */
  inForce: Edition;
}

/** The latest is never forgotten, so no number comes twice. */
const INSERT = `INSERT INTO preislisten
    (nummer, name, sha256, stand, herkunft, aufgenommen_am, bestaetigt_am, modelle, daten, abgelehnt)
  SELECT nummer, coalesce($1, 'genai-prices ' || $3::date || '.' || nummer), $2, $3::date, $4, $5, $6, $7, $8, $9
  FROM (SELECT coalesce(max(nummer), 0) + 1 AS nummer FROM preislisten) AS n`;
/** What is seen again at its source is as new as then, and being old begins anew. */
const CONFIRM = `UPDATE preislisten SET bestaetigt_am = $2, gemeldet_am = CASE WHEN abgelehnt IS NOT NULL THEN gemeldet_am END
  WHERE sha256 = $1 AND bestaetigt_am < $2`;
const FORGET = `DELETE FROM preislisten
  WHERE nummer <> $1 AND NOT angeheftet AND nummer NOT IN (SELECT nummer FROM preislisten ORDER BY nummer DESC LIMIT ${KEPT})`;

/** What stands in the newest edition that was accepted; where this version does not read it, in that of the package. */
async function readNewest(client: Client): Promise<readonly Provider[]> {
  const [newest] = byAge(await readEditions(client));
  const { rows } = await client.query<{ daten: Buffer }>(DATA, [newest?.nummer]);
  try {
    return rows[0] ? unpack(rows[0].daten) : await readPackaged();
  } catch (error) {
    if (error instanceof BadPriceList) return readPackaged();
    throw error;
  }
}

/**
 * Takes an edition, unless it is known already: then it is noted that it was seen. One that can hardly be right is kept, but
 * not taken without asking. Throws `BadPriceList`.
 */
export function takeEdition(
  db: Owner,
  { bytes, herkunft, stand, bestaetigt_am }: Offer,
  now: Date,
  name: string | null = null,
): Promise<Taken> {
  const list = readList(bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return change(db, async (client) => {
    const known = (await readEditions(client)).some((each) => each.sha256 === sha256);
    if (known) await client.query(CONFIRM, [sha256, bestaetigt_am]);
    else {
      const doubts = herkunft === 'paket' ? [] : doubtsAbout(list, await readNewest(client));
      const refusal = doubts.length > 0 ? doubts.join('; ') : null;
      const daten = zstdCompressSync(bytes);
      const values = [stand, herkunft, now.toISOString(), bestaetigt_am, countModels(list), daten, refusal];
      await client.query(INSERT, [name, sha256, ...values]);
    }
    const editions = await readEditions(client);
    const edition = editions.find((each) => each.sha256 === sha256) as Edition;
    const inForce = inForceOf(editions) ?? edition;
    await client.query(FORGET, [inForce.nummer]);
    return { edition, neu: !known, inForce };
  });
}

/** The list that is installed is an edition, too. */
export async function takePackaged(db: Owner, now: Date): Promise<Taken> {
  const { name, stand } = PACKAGED;
  const bytes = Buffer.from(JSON.stringify(await readPackaged()));
  return takeEdition(db, { bytes, herkunft: 'paket', stand, bestaetigt_am: `${stand}T00:00:00Z` }, now, name);
}

const UNPIN = 'UPDATE preislisten SET angeheftet = false WHERE angeheftet';
/** An operator who names one by hand has looked at it. */
const PIN = `UPDATE preislisten SET angeheftet = true, abgelehnt = NULL, gemeldet_am = NULL WHERE nummer = $1`;

/** Has an edition hold until it is said otherwise; false when there is none of that number. */
export const pinEdition = (db: Owner, nummer: number): Promise<boolean> =>
  change(db, async (client) => {
    if (!(await readEditions(client)).some((each) => each.nummer === nummer)) return false;
    await client.query(UNPIN);
    await client.query(PIN, [nummer]);
    return true;
  });

/** From now on the newest holds again; resolves with that one, null when none was pinned. */
export const unpinEdition = (db: Owner): Promise<Edition | null> =>
  change(db, async (client) => {
    const { rowCount } = await client.query(UNPIN);
    return rowCount ? inForceOf(await readEditions(client)) : null;
  });

/** Pins the edition before the one that holds; null when there is none. */
export const goBack = (db: Owner): Promise<Edition | null> =>
  change(db, async (client) => {
    const editions = await readEditions(client);
    const now = inForceOf(editions);
    const ordered = byAge(editions);
    const before = ordered[ordered.findIndex(({ nummer }) => nummer === now?.nummer) + 1];
    if (!now || !before) return null;
    await client.query(UNPIN);
    await client.query(PIN, [before.nummer]);
    return before;
  });
