/**
 * Pieces of Mandanten of whom calls were counted that are in none: made anew of their events, day by day beside counting, and at last,
 * under the counting lock, of the days that have changed meanwhile. Safe to repeat, and to be cut off anywhere.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { numberOfDimension, OWN_DIMENSION_NAMES } from '#contracts';
import { forEveryMandant, type JobContext, type Selected } from '#jobs/index.ts';
import { type OwnerDatabase, within } from '#platform/database/owner-database.ts';
import { lockCounting } from './change-calls.ts';
import { COUNTED_ROW, type CountedRow, readAsCounted } from './counted-row.ts';
import { addUpDays } from './day-totals.ts';
import { giveWay } from './give-way.ts';
import { Merkmale } from './merkmale.ts';
import type { CountedEvent } from './normalise.ts';
import { Addend } from './sums/figures.ts';
import { Piece } from './sums/piece.ts';
import { Values } from './sums/values.ts';

/** Those with little first. What can be made of no events is below 0 and waits. */
const MANDANTEN = `SELECT z.mandant_id, m.zeitzone FROM zaehlstaende z JOIN mandanten m USING (mandant_id)
  WHERE z.stuecke_bis >= 0 AND z.stuecke_bis <> z.marken ORDER BY z.ereignisse_gesamt, z.mandant_id`;

interface Whose extends Selected {
  mandant_id: string;
  zeitzone: string;
}

/** Rows of a piece, as many as one counting transaction leaves; and events that are read at once. */
const ROWS = 20_000;
const PAGE = 500;
/** Beyond the numbers of values. Of one's own dimensions a release that knows none gave no numbers: those are none. */
const UNKNOWN = 2 ** 30;
const OWN_NUMBERS = new Set<number>(OWN_DIMENSION_NAMES.map(numberOfDimension));
/** Times that all days are looked at beside counting. */
const PASSES = 3;

/** Nobody else is at the pieces of the Mandant, which is there: neither who puts them together nor who makes them. */
const LOCK = `SELECT FROM mandanten WHERE mandant_id = $1
  AND pg_try_advisory_xact_lock(hashtext('verbrauch_stuecke'), hashtext($1::text)) FOR KEY SHARE`;
const IS_OPEN =
  'SELECT FROM zaehlstaende WHERE mandant_id = $1 AND stuecke_bis >= 0 AND stuecke_bis <> marken';

/** Whether a day of it began before events were removed. */
const IS_GONE = `SELECT FROM verbrauch_tagesstand WHERE mandant_id = $1
  AND tag::timestamp AT TIME ZONE $2 < (SELECT ereignisse_ab FROM aufbewahrung) LIMIT 1`;
const CANNOT = 'UPDATE zaehlstaende SET stuecke_bis = -1 WHERE mandant_id = $1 AND stuecke_bis <> marken';

/** Those that this job has made are due at no time, until all are there. */
const FORGET = 'DELETE FROM verbrauch_stuecke WHERE mandant_id = $1 AND NOT (roh AND faellig_am IS NULL)';
const DAYS = `SELECT tag FROM verbrauch_tagesstand WHERE mandant_id = $1 AND stuecke_stand IS DISTINCT FROM geaendert ORDER BY tag`;

const STATE = 'SELECT geaendert FROM verbrauch_tagesstand WHERE mandant_id = $1 AND tag = $2';
const FORGET_DAY = 'DELETE FROM verbrauch_stuecke WHERE mandant_id = $1 AND tag_von = $2 AND tag_bis = $2';
// By the day of UTC, too: before the year 1 had its second day, days are those of UTC everywhere.
const EVENTS = `DECLARE anrufe NO SCROLL CURSOR FOR SELECT ${COUNTED_ROW} FROM ereignisse
  WHERE mandant_id = $1
    AND zeitpunkt >= least($2::date::timestamp AT TIME ZONE $3, $2::date::timestamp AT TIME ZONE 'UTC')
    AND zeitpunkt < greatest(($2::date + 1)::timestamp AT TIME ZONE $3, ($2::date + 1)::timestamp AT TIME ZONE 'UTC')`;
const LEAST = 'SELECT coalesce(min(nummer), 0) AS nummer FROM verbrauch_stuecke WHERE mandant_id = $1';
const ADD = `INSERT INTO verbrauch_stuecke (mandant_id, nummer, marke, tag_von, tag_bis, anzahl, daten, faellig_am)
  VALUES ($1, $2, $3, $4, $4, $5, $6, NULL)`;
const MADE = 'UPDATE verbrauch_tagesstand SET stuecke_stand = $3 WHERE mandant_id = $1 AND tag = $2';

const FINISH = [
  'UPDATE verbrauch_stuecke SET faellig_am = now() WHERE mandant_id = $1 AND roh AND faellig_am IS NULL',
  'UPDATE verbrauch_tagesstand SET stuecke_stand = NULL WHERE mandant_id = $1 AND stuecke_stand IS NOT NULL',
  'UPDATE zaehlstaende SET stuecke_bis = marken WHERE mandant_id = $1',
];

/** Events that become one piece. */
class Making {
  readonly #values = new Values();
  readonly #addend = new Addend();
  readonly #piece = new Piece();
  count = 0;

  add(event: CountedEvent): void {
    this.#addend.read(event);
    this.#piece.add(event, this.#values.of(event), this.#addend);
    this.count += 1;
  }

  /** Adds the piece, whose number is below all others. */
  async write(client: pg.ClientBase, mandant: string, merkmale: Merkmale, tag: string): Promise<void> {
    const stand = { merkmale_anzahl: UNKNOWN, merkmale_marke: null };
    const [resolved] = await merkmale.resolve(client, [{ mandant, values: this.#values, stand }]);
    if (!resolved || resolved.fresh?.dimensions.some((number) => !OWN_NUMBERS.has(number)))
      throw new Error('a counted event has a value without a number');
    const piece = this.#piece.pack(resolved.ids.map((id) => (id > UNKNOWN ? 0 : id)));
    if (!piece) return;
    const { rows } = await client.query<{ nummer: number }>(LEAST, [mandant]);
    const nummer = Math.min(0, Number(rows[0]?.nummer)) - 1;
    await client.query(ADD, [mandant, nummer, randomUUID(), tag, piece.rows, piece.bytes]);
  }
}

/** Makes the pieces of the Mandant's days that have changed since theirs were made. */
class Maker {
  readonly #merkmale = new Merkmale();
  readonly #whose: Whose;

  constructor(whose: Whose) {
    this.#whose = whose;
  }

  /** In a transaction. What is counted of the day meanwhile leaves it to be made again: its state is read before its events. */
  async day(client: pg.ClientBase, tag: string): Promise<void> {
    const { mandant_id, zeitzone } = this.#whose;
    const { rows } = await client.query<{ geaendert: string }>(STATE, [mandant_id, tag]);
    await client.query(FORGET_DAY, [mandant_id, tag]);
    const asCounted = await readAsCounted(client, mandant_id);
    await client.query(EVENTS, [mandant_id, tag, zeitzone]);
    let making = new Making();
    for (;;) {
      const page = await client.query<CountedRow>(`FETCH ${PAGE} FROM anrufe`);
      for (const event of page.rows.map(asCounted)) if (event.tag === tag) making.add(event);
      const isLast = page.rows.length === 0;
      if (!isLast && making.count < ROWS) continue;
      await making.write(client, mandant_id, this.#merkmale, tag);
      if (isLast) break;
      making = new Making();
    }
    await client.query('CLOSE anrufe');
    await client.query(MADE, [mandant_id, tag, rows[0]?.geaendert]);
  }
}

/** Whether the pieces of the Mandant are this transaction's to make. */
async function begin(client: pg.ClientBase, { mandant_id }: Whose): Promise<boolean> {
  const locked = await client.query(LOCK, [mandant_id]);
  if (!locked.rowCount) return false;
  return ((await client.query(IS_OPEN, [mandant_id])).rowCount ?? 0) > 0;
}

const daysOf = async (db: Pick<OwnerDatabase, 'query'>, { mandant_id }: Whose): Promise<string[]> =>
  (await db.query<{ tag: string }>(DAYS, [mandant_id])).rows.map(({ tag }) => tag);

type Outcome = 'made' | 'left' | 'gone';

/** Whether a day is not there any more; its Mandant is noted then. */
async function isGone(client: pg.ClientBase, { mandant_id, zeitzone }: Whose): Promise<boolean> {
  const { rowCount } = await client.query(IS_GONE, [mandant_id, zeitzone]);
  if (!rowCount) return false;
  await addUpDays(client, { mandant_id, zeitzone });
  await client.query(CANNOT, [mandant_id]);
  return true;
}

const prepare = (db: OwnerDatabase, whose: Whose): Promise<Outcome> =>
  db.repeatable(async (client) => {
    if (!(await begin(client, whose))) return 'left';
    if (await isGone(client, whose)) return 'gone';
    await client.query(FORGET, [whose.mandant_id]);
    return 'made';
  });

/** What has changed since, and that all is there: in one transaction, while nobody counts the Mandant. */
const finish = (db: OwnerDatabase, whose: Whose, maker: Maker): Promise<Outcome> =>
  db.repeatable(async (client) => {
    if (!(await begin(client, whose))) return 'left';
    if (!(await lockCounting(client, whose.mandant_id))) return 'left';
    if (await isGone(client, whose)) return 'gone';
    for (const tag of await daysOf(within(client), whose)) await maker.day(client, tag);
    await addUpDays(client, whose);
    for (const statement of FINISH) await client.query(statement, [whose.mandant_id]);
    return 'made';
  });

async function makeOf(db: OwnerDatabase, whose: Whose): Promise<Outcome> {
  const prepared = await prepare(db, whose);
  if (prepared !== 'made') return prepared;
  const maker = new Maker(whose);
  const makeDay = (tag: string) =>
    db.repeatable(async (client) => {
      if (await begin(client, whose)) await maker.day(client, tag);
    });
  for (let pass = 0; pass < PASSES; pass += 1) for (const tag of await daysOf(db, whose)) await makeDay(tag);
  await giveWay(db, whose.mandant_id);
  return finish(db, whose, maker);
}

/** Makes the pieces of all who lack some; resolves with the number of Mandanten that have them now. */
export async function makePiecesAnew({ owner, log }: Pick<JobContext, 'owner' | 'log'>): Promise<number> {
  const outcomes = await forEveryMandant({ owner, log }, MANDANTEN, (_, whose: Whose) =>
    makeOf(owner, whose),
  );
  return outcomes.filter((outcome) => outcome === 'made').length;
}
