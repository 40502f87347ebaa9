/**
 * Pieces of Mandanten of whom calls were counted that are in none: made anew day by day beside counting, and at last, under the counting
 * lock, of the days that have changed meanwhile; of their events, of days whose events are gone of their sums. Safe to repeat, and to be
 * cut off anywhere.
 */
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { numberOfDimension, OWN_DIMENSION_NAMES } from '#contracts';
import { type PieceOfSums, piecesOfSums } from '#domains/verbrauch/index.ts';
import { forEveryMandant, type JobContext, type Selected } from '#jobs/index.ts';
import { EUR_SCALE, textOf } from '#kernel/money.ts';
import { type OwnerDatabase, within } from '#platform/database/owner-database.ts';
import { lockCounting } from './change-calls.ts';
import { COUNTED_ROW, type CountedRow, readAsCounted } from './counted-row.ts';
import { giveWay } from './give-way.ts';
import { makeAllAnew } from './keep-values.ts';
import { Merkmale } from './merkmale.ts';
import type { CountedEvent } from './normalise.ts';
import { Addend } from './sums/figures.ts';
import { Piece } from './sums/piece.ts';
import { Values } from './sums/values.ts';

/** Those with little first. */
const MANDANTEN = `SELECT z.mandant_id, m.zeitzone FROM zaehlstaende z JOIN mandanten m USING (mandant_id)
  WHERE z.stuecke_bis <> z.marken ORDER BY z.ereignisse_gesamt, z.mandant_id`;

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
const IS_OPEN = 'SELECT FROM zaehlstaende WHERE mandant_id = $1 AND stuecke_bis <> marken';

/** That a day of a time zone ($2) began before events were removed: those that it has still are not all. */
const IS_GONE = `coalesce(tag::timestamp AT TIME ZONE $2 < (SELECT ereignisse_ab FROM aufbewahrung), false)`;

/** Those that this job has made are due at no time, until all are there. */
const FORGET = 'DELETE FROM verbrauch_stuecke WHERE mandant_id = $1 AND NOT (roh AND faellig_am IS NULL)';
/** Days that have changed since, or were made of events that may have been removed meanwhile. */
const DAYS = `SELECT tag FROM verbrauch_tagesstand WHERE mandant_id = $1
    AND (stuecke_stand IS DISTINCT FROM geaendert OR stuecke_dimensionen IS NULL AND ${IS_GONE})
  ORDER BY tag`;

const STATE = `SELECT geaendert, gelistet IS NOT DISTINCT FROM geaendert AS gelistet, ${IS_GONE} AS weg
  FROM verbrauch_tagesstand WHERE mandant_id = $1 AND tag = $3`;
const FORGET_DAY = 'DELETE FROM verbrauch_stuecke WHERE mandant_id = $1 AND tag_von = $2 AND tag_bis = $2';
// By the day of UTC, too: before the year 1 had its second day, days are those of UTC everywhere.
const EVENTS = `DECLARE anrufe NO SCROLL CURSOR FOR SELECT ${COUNTED_ROW} FROM ereignisse
  WHERE mandant_id = $1
    AND zeitpunkt >= least($2::date::timestamp AT TIME ZONE $3, $2::date::timestamp AT TIME ZONE 'UTC')
    AND zeitpunkt < greatest(($2::date + 1)::timestamp AT TIME ZONE $3, ($2::date + 1)::timestamp AT TIME ZONE 'UTC')`;
const LEAST = 'SELECT coalesce(min(nummer), 0) AS nummer FROM verbrauch_stuecke WHERE mandant_id = $1';
const ADD = `INSERT INTO verbrauch_stuecke (mandant_id, nummer, marke, tag_von, tag_bis, anzahl, daten, dimensionen, faellig_am)
  VALUES ($1, $2, $3, $4, $4, $5, $6, $7, NULL)`;
// What a day whose events are gone adds up to stays as it was counted.
const MADE = `UPDATE verbrauch_tagesstand SET stuecke_stand = $3, stuecke_dimensionen = $4,
    aufrufe = coalesce($5, aufrufe), unbepreist = coalesce($6, unbepreist), kosten_eur = coalesce($7, kosten_eur)
  WHERE mandant_id = $1 AND tag = $2`;

const FINISH = [
  'UPDATE verbrauch_stuecke SET faellig_am = now() WHERE mandant_id = $1 AND roh AND faellig_am IS NULL',
  'UPDATE verbrauch_tagesstand SET stuecke_stand = NULL WHERE mandant_id = $1 AND stuecke_stand IS NOT NULL',
  'UPDATE zaehlstaende SET stuecke_bis = marken WHERE mandant_id = $1',
];

/** Of calls where it does not say of which dimensions it is. */
type MadePiece = Pick<PieceOfSums, 'rows' | 'bytes'> & { dimensionen?: PieceOfSums['dimensionen'] };

/** Adds a piece of a day, whose number is below all others. */
async function addPiece(
  client: pg.ClientBase,
  mandant: string,
  tag: string,
  { rows: anzahl, bytes, dimensionen }: MadePiece,
): Promise<void> {
  const { rows } = await client.query<{ nummer: number }>(LEAST, [mandant]);
  const nummer = Math.min(0, Number(rows[0]?.nummer)) - 1;
  await client.query(ADD, [mandant, nummer, randomUUID(), tag, anzahl, bytes, dimensionen ?? null]);
}

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

  async write(client: pg.ClientBase, mandant: string, merkmale: Merkmale, tag: string): Promise<void> {
    const stand = { merkmale_anzahl: UNKNOWN, merkmale_marke: null };
    const [resolved] = await merkmale.resolve(client, [{ mandant, values: this.#values, stand }]);
    if (!resolved || resolved.fresh?.dimensions.some((number) => !OWN_NUMBERS.has(number)))
      throw new Error('a counted event has a value without a number');
    const piece = this.#piece.pack(resolved.ids.map((id) => (id > UNKNOWN ? 0 : id)));
    if (piece) await addPiece(client, mandant, tag, piece);
  }
}

interface DayState {
  geaendert: string;
  /** Whether there are its sums by two dimensions at once. */
  gelistet: boolean;
  weg: boolean;
}

interface MadeDay {
  /** Of how many dimensions at once there are pieces; null where they are of calls. */
  dimensions: number | null;
  /** Calls, those without a price, and cost; null where they are not added up anew. */
  totals: (number | string | null)[];
}

/** Makes the pieces of the Mandant's days that have changed since theirs were made. */
class Maker {
  readonly #merkmale = new Merkmale();
  readonly #whose: Whose;

  constructor(whose: Whose) {
    this.#whose = whose;
  }

  /** In a transaction. What is counted of the day meanwhile leaves it to be made again: its state is read before all else. */
  async day(client: pg.ClientBase, tag: string): Promise<void> {
    const { mandant_id, zeitzone } = this.#whose;
    const { rows } = await client.query<DayState>(STATE, [mandant_id, zeitzone, tag]);
    const [state] = rows;
    if (!state) return;
    await client.query(FORGET_DAY, [mandant_id, tag]);
    const made = state.weg ? await this.#ofSums(client, tag, state) : await this.#ofEvents(client, tag);
    await client.query(MADE, [mandant_id, tag, state.geaendert, made.dimensions, ...made.totals]);
  }

  async #ofSums(client: pg.ClientBase, tag: string, { gelistet }: DayState): Promise<MadeDay> {
    for await (const piece of piecesOfSums(client, { ...this.#whose, tag }, gelistet))
      await addPiece(client, this.#whose.mandant_id, tag, piece);
    return { dimensions: gelistet ? 2 : 1, totals: [null, null, null] };
  }

  async #ofEvents(client: pg.ClientBase, tag: string): Promise<MadeDay> {
    const { mandant_id, zeitzone } = this.#whose;
    const asCounted = await readAsCounted(client, mandant_id);
    await client.query(EVENTS, [mandant_id, tag, zeitzone]);
    let making = new Making();
    const total = { aufrufe: 0, unbepreist: 0, eur: 0n };
    for (;;) {
      const page = await client.query<CountedRow>(`FETCH ${PAGE} FROM anrufe`);
      for (const event of page.rows.map(asCounted)) {
        if (event.tag !== tag) continue;
        making.add(event);
        total.aufrufe += 1;
        if (event.eur === null) total.unbepreist += 1;
        else total.eur += event.eur;
      }
      const isLast = page.rows.length === 0;
      if (!isLast && making.count < ROWS) continue;
      await making.write(client, mandant_id, this.#merkmale, tag);
      if (isLast) break;
      making = new Making();
    }
    await client.query('CLOSE anrufe');
    return { dimensions: null, totals: [total.aufrufe, total.unbepreist, textOf(total.eur, EUR_SCALE)] };
  }
}

/** Whether the pieces of the Mandant are this transaction's to make. */
async function begin(client: pg.ClientBase, { mandant_id }: Whose): Promise<boolean> {
  const locked = await client.query(LOCK, [mandant_id]);
  if (!locked.rowCount) return false;
  return ((await client.query(IS_OPEN, [mandant_id])).rowCount ?? 0) > 0;
}

const daysOf = async (db: Pick<OwnerDatabase, 'query'>, { mandant_id, zeitzone }: Whose): Promise<string[]> =>
  (await db.query<{ tag: string }>(DAYS, [mandant_id, zeitzone])).rows.map(({ tag }) => tag);

/** Whether the Mandant has its pieces now; somebody else may be at them. */
type Outcome = 'made' | 'left';

const prepare = (db: OwnerDatabase, whose: Whose): Promise<Outcome> =>
  db.repeatable(async (client) => {
    if (!(await begin(client, whose))) return 'left';
    await client.query(FORGET, [whose.mandant_id]);
    return 'made';
  });

/** What has changed since, and that all is there: in one transaction, while nobody counts the Mandant. */
const finish = (db: OwnerDatabase, whose: Whose, maker: Maker): Promise<Outcome> =>
  db.repeatable(async (client) => {
    if (!(await begin(client, whose))) return 'left';
    if (!(await lockCounting(client, whose.mandant_id))) return 'left';
    for (const tag of await daysOf(within(client), whose)) await maker.day(client, tag);
    for (const statement of FINISH) await client.query(statement, [whose.mandant_id]);
    await makeAllAnew(client, whose.mandant_id);
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
