/** Makes the states of runs anew whose events came out of order. Runs as the owner, inside the transaction that takes marks. */
import type pg from 'pg';
import { DIMENSIONS } from '#contracts';
import { DELIBERATE, PARENT_RUN, SUCCESS } from '#domains/ereignisse/index.ts';
import { advance, compareSteps, newRun, type Step } from './run-state.ts';
import { writeRunState } from './run-state-bytes.ts';

/** Longer runs stay marked: nobody reads them whole for each late event. */
const MAX_EVENTS = 20_000;

interface StepRow {
  ereignis_id: string;
  zeit: string;
  schritt_nr: string | number | null;
  prompt: string | null;
  werkzeug: string | null;
  modell: number | null;
  eingabe: string | number;
  ohne_cache_lesen: string | number;
  usd: string | null;
  failed: boolean;
  geschaetzt: boolean;
  geleitet: boolean;
}

// The bounds of the run leave out the months it does not touch. One that began before what is kept stays as it is.
const EVENTS = `SELECT e.ereignis_id, (extract(epoch FROM e.zeitpunkt) * 1000000)::bigint AS zeit, e.schritt_nr,
    CASE WHEN NOT ${DELIBERATE} THEN encode(e.prompt_fingerabdruck, 'hex') END AS prompt,
    CASE WHEN NOT ${DELIBERATE} THEN encode(e.werkzeug_fingerabdruck, 'hex') END AS werkzeug,
    m.merkmal_id AS modell,
    coalesce(e.eingabe_ohne_cache + coalesce(e.cache_schreib_token, 0) + coalesce(e.cache_lese_token, 0), 0) AS eingabe,
    coalesce(e.eingabe_ohne_cache + coalesce(e.cache_schreib_token, 0), 0) AS ohne_cache_lesen,
    (e.kosten_usd * 1000000000000000000000000)::numeric(60, 0)::text AS usd, e.status <> '${SUCCESS}' AS failed, e.geschaetzt,
    ${PARENT_RUN} IS NOT NULL AS geleitet
  FROM laeufe l JOIN ereignisse e ON e.mandant_id = l.mandant_id AND e.lauf_id = l.lauf_id
    AND e.zeitpunkt BETWEEN l.beginn AND l.ende
  LEFT JOIN merkmale m ON m.mandant_id = e.mandant_id AND m.dimension = ${DIMENSIONS.modell.number} AND m.text = coalesce(e.modell, '')
  WHERE l.mandant_id = $1 AND l.lauf_id = $2
    AND l.beginn >= coalesce((SELECT ereignisse_ab FROM aufbewahrung), '-infinity') LIMIT ${MAX_EVENTS + 1}`;

// Where counting has changed it meanwhile, or is about to, a later mark says so; where that is undone, it is counted again. Nobody is
// waited for here, with other runs in hand: counting takes many at once, in an order of its own.
const WRITE = `WITH frei AS (
    SELECT FROM lauf_zustaende WHERE mandant_id = $1 AND lauf_id = $2 AND nummer = $3 FOR UPDATE SKIP LOCKED)
  UPDATE lauf_zustaende SET zustand = $4, neu_lesen = false
  WHERE mandant_id = $1 AND lauf_id = $2 AND nummer = $3 AND EXISTS (SELECT FROM frei)`;

const printOf = (hex: string | null): bigint | null => (hex === null ? null : BigInt(`0x${hex}`));

const toStep = (row: StepRow): Step => ({
  schritt: row.schritt_nr === null ? null : Number(row.schritt_nr),
  zeit: Number(row.zeit),
  ereignisId: BigInt(`0x${row.ereignis_id.replaceAll('-', '')}`),
  prompt: printOf(row.prompt),
  werkzeug: printOf(row.werkzeug),
  modell: row.modell ?? 0,
  eingabe: Number(row.eingabe),
  ohneCacheLesen: Number(row.ohne_cache_lesen),
  usd: row.usd === null ? null : BigInt(row.usd),
  failed: row.failed,
  geschaetzt: row.geschaetzt,
  geleitet: row.geleitet,
});

async function reread(client: pg.PoolClient, mandant: string, lauf: string, nummer: number): Promise<void> {
  const { rows } = await client.query<StepRow>(EVENTS, [mandant, lauf]);
  if (rows.length === 0 || rows.length > MAX_EVENTS) return;
  const state = newRun();
  for (const step of rows.map(toStep).sort(compareSteps)) advance(state, step);
  await client.query(WRITE, [mandant, lauf, nummer, writeRunState(state)]);
}

/** Reads anew the runs that these marks are about, as far as they are marked for it. */
export async function rereadRuns(
  client: pg.PoolClient,
  marks: { mandant: string; nummer: number }[],
): Promise<void> {
  const { rows } = await client.query<{ mandant_id: string; lauf_id: string; nummer: number }>({
    name: 'neu_zu_lesen',
    text: `SELECT z.mandant_id, z.lauf_id, z.nummer FROM unnest($1::uuid[], $2::bigint[]) AS n (mandant_id, nummer)
      JOIN lauf_zustaende z USING (mandant_id, nummer) WHERE z.neu_lesen`,
    values: [marks.map(({ mandant }) => mandant), marks.map(({ nummer }) => nummer)],
  });
  for (const { mandant_id: mandant, lauf_id: lauf, nummer } of rows)
    await reread(client, mandant, lauf, nummer);
}
