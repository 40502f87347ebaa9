/** Makes what is remembered of runs anew from their events. Runs as the owner, inside the transaction that takes marks. */
import type pg from 'pg';
import { DIMENSIONS } from '#contracts';
import { DELIBERATE, PARENT_RUN, SUCCESS } from '#domains/ereignisse/index.ts';
import { EUR_SCALE, scaledFrom } from '#kernel/money.ts';
import type { RunMemory } from './run-memory.ts';
import { advance, compareSteps, newRun, type RunState, type Step } from './run-state.ts';

type Client = Pick<pg.ClientBase, 'query'>;

/** More calls are not read at a time, and longer runs never: nobody reads them whole for each late event. */
const MAX_EVENTS = 20_000;
/** Runs of a Mandant that are read at a time; the others have their turn with its next call, or with the batch of the detectors. */
const MOST_RUNS = 200;

interface RunRow {
  lauf_id: string;
  agent: string;
  projekt: string;
  endkunde_ref: string | null;
  aufrufe: number;
  kosten_eur: string | null;
  fassung: number;
}

const RUNS = `SELECT lauf_id, agent, projekt, endkunde_ref, aufrufe, kosten_eur::text AS kosten_eur, fassung
  FROM laeufe WHERE mandant_id = $1 AND lauf_id = ANY ($2::uuid[])`;

interface StepRow {
  lauf_id: string;
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
const EVENTS = `SELECT e.lauf_id, e.ereignis_id, (extract(epoch FROM e.zeitpunkt) * 1000000)::bigint AS zeit, e.schritt_nr,
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
  WHERE l.mandant_id = $1 AND l.lauf_id = ANY ($2::uuid[]) 
    AND l.beginn >= coalesce((SELECT ereignisse_ab FROM aufbewahrung), '-infinity')`;

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

const factsOf = ({ agent, projekt, endkunde_ref, aufrufe, kosten_eur, fassung }: RunRow) => ({
  agent,
  projekt,
  endkunde: endkunde_ref,
  eur: kosten_eur === null ? null : scaledFrom(kosten_eur, EUR_SCALE),
  aufrufe,
  fassung,
});

async function readFacts(client: Client, mandant: string, laeufe: readonly string[]): Promise<RunRow[]> {
  const { rows } = await client.query<RunRow>(RUNS, [mandant, laeufe]);
  return rows.map((row) => ({ ...row, aufrufe: Number(row.aufrufe) }));
}

/** The first of them that have no more calls together than are read at a time. */
function withinBound(runs: RunRow[]): RunRow[] {
  let calls = 0;
  return runs.filter(({ aufrufe }) => {
    if (aufrufe > MAX_EVENTS) return false;
    calls += aufrufe;
    return calls <= MAX_EVENTS;
  });
}

/** What the events say of a run; stale where they are not all its calls: older ones are kept no longer, or one was just added. */
function stateOf(run: RunRow, rows: StepRow[]): RunState {
  const state = newRun();
  for (const step of rows.map(toStep).sort(compareSteps)) advance(state, step);
  state.stale = rows.length !== run.aufrufe;
  return state;
}

/** Runs of a Mandant whose marks are taken. */
export interface MarkedRuns {
  mandant: string;
  /** The memory holds these as they were counted, but for calls out of order. */
  certain: readonly string[];
  /** Of these it may be behind. */
  others: readonly string[];
}

/**
 * Brings what is remembered of runs up to date with what is counted, in the transaction that takes their marks; `now` on the monotonic
 * clock. Of a Mandant some runs are read at a time; the others are not remembered where it is not as it was.
 */
export async function readRunsAnew(
  client: Client,
  memory: RunMemory,
  { mandant, certain, others }: MarkedRuns,
  now: number,
): Promise<void> {
  if (others.length > 0)
    for (const run of await readFacts(client, mandant, others))
      memory.forgetUnless(mandant, run.lauf_id, run);
  const due = [...others, ...certain].filter((lauf) => memory.isDue(mandant, lauf, now)).slice(0, MOST_RUNS);
  if (due.length === 0) return;
  const runs = withinBound(await readFacts(client, mandant, due));
  const { rows } = await client.query<StepRow>(EVENTS, [mandant, runs.map(({ lauf_id }) => lauf_id)]);
  const steps = Map.groupBy(rows, ({ lauf_id }) => lauf_id);
  for (const run of runs) {
    const state = stateOf(run, steps.get(run.lauf_id) ?? []);
    memory.remember(mandant, run.lauf_id, { ...factsOf(run), state }, now);
  }
}
