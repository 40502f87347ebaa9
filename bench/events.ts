/** Batches of events with every field, as fast to make as to send: templates whose ids are overwritten in place. */
import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import { type EreignisEingang, type FieldKind, SENT_FIELDS, type Static } from '#contracts';

export const BATCH = 100;
const TEMPLATES = 200;
const STEPS_PER_RUN = 20;
const STEP_MS = 2_000;
/** Six digits, so that they can be overwritten in place. */
const FIRST_STEP = 100_000;

export const MODELS = [
  ['openai', 'gpt-4o-mini'],
  ['openai', 'gpt-4o'],
  ['anthropic', 'claude-sonnet-4-5'],
  ['google', 'gemini-2.5-pro'],
  ['openai', 'gpt-4.1'],
  ['anthropic', 'claude-haiku-4-5'],
  ['google', 'gemini-2.5-flash'],
  ['openai', 'o3'],
] as const;

/** How many values the large dimensions have; `zipf`: a few of them have most of the calls. */
export interface Cardinality {
  agents: number;
  customers: number;
  models: number;
  zipf: boolean;
}
export const FEW: Cardinality = { agents: 20, customers: 5, models: 4, zipf: false };
export const MANY: Cardinality = { agents: 200, customers: 2_000, models: 8, zipf: true };

/** Picks numbers below a limit: all alike, or number n with a weight of 1 / (n + 1). */
export function createPicker(limit: number, zipf: boolean): () => number {
  if (!zipf) return () => upTo(limit);
  let sum = 0;
  const bounds = Array.from({ length: limit }, (_, index) => {
    sum += 1 / (index + 1);
    return sum;
  });
  return () => {
    const at = Math.random() * sum;
    return Math.max(
      0,
      bounds.findIndex((bound) => bound >= at),
    );
  };
}

const createPickers = ({ agents, customers, models, zipf }: Cardinality) => ({
  agent: createPicker(agents, zipf),
  customer: createPicker(customers, zipf),
  model: createPicker(models, zipf),
});
type Pickers = ReturnType<typeof createPickers>;

const pick = <T>(items: readonly T[]): T => items[Math.floor(Math.random() * items.length)] as T;
const upTo = (limit: number) => Math.floor(Math.random() * limit);
const PLACEHOLDER = '00000000-0000-4000-8000-000000000000';

/** Something for fields that nothing below is said of. */
const ANYTHING: Record<FieldKind, (name: string) => unknown> = {
  uuid: () => randomUUID(),
  instant: () => new Date(Date.now() - upTo(3_600_000)).toISOString(),
  count: () => upTo(1_000),
  sum: () => upTo(1_000),
  text: (name) => `${name}-${upTo(5)}`,
  fingerprint: () => randomBytes(8).toString('hex'),
  flag: () => Math.random() < 0.02,
  object: () => ({ version: '1.2.3', umgebung: 'produktion' }),
  decimal: () => '1',
};
const anything = () =>
  Object.fromEntries(Object.entries(SENT_FIELDS).map(([name, { kind }]) => [name, ANYTHING[kind](name)]));

function event(pickers: Pickers, step: number, run: number, begin: number): Static<typeof EreignisEingang> {
  const agent = pickers.agent();
  const [anbieter, modell] = MODELS[pickers.model()] as (typeof MODELS)[number];
  const failed = Math.random() < 0.03;
  return {
    ...anything(),
    ereignis_id: PLACEHOLDER,
    anbieter,
    modell,
    agent: `projekt-${agent % 4}/agent-${agent}`,
    lauf_id: PLACEHOLDER.replace(/^0{8}/, String(run).padStart(8, '9')),
    schritt_nr: FIRST_STEP + step,
    zeitpunkt: new Date(begin + step * STEP_MS).toISOString(),
    eingabe_token: 200 + upTo(6_000),
    ausgabe_token: 20 + upTo(900),
    cache_lese_token: upTo(200),
    cache_schreib_token: 0,
    denk_token: 0,
    werkzeugaufrufe: upTo(3),
    latenz_ms: 300 + upTo(8_000),
    erste_zeichen_ms: 100 + upTo(600),
    status: failed ? 'fehler' : 'erfolgreich',
    fehlercode: failed ? 'rate_limit' : null,
    endkunde_ref: `EK-${1000 + pickers.customer()}`,
    funktion_ref: pick(['antworten', 'zusammenfassen', 'pruefen']),
    benutzer_ref: `u-${upTo(300)}`,
    quelle: 'sdk',
  };
}

interface Template {
  events: number;
  bytes: Buffer;
  /** Where the ids of the events stand. */
  ids: number[];
  /** Where the ids of the runs stand, by run. */
  runs: number[][];
  /** Where the times of the events stand. */
  times: number[];
  /** Where the numbers of the steps stand, of six digits. */
  steps: number[];
  /** Where the prints of prompts and tools stand: calls are unlike, else every run would be a loop, or another one begun anew. */
  prints: number[];
}

/** Where something ends in the bytes, each time it occurs. */
function placesOf(bytes: Buffer, text: string): number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at + text.length);
  return places;
}

function makeTemplate(pickers: Pickers, size: number): Template {
  const newest = Date.now() - STEPS_PER_RUN * STEP_MS;
  const begins = Array.from({ length: Math.ceil(size / STEPS_PER_RUN) }, () => newest - upTo(3_600_000));
  const ereignisse = Array.from({ length: size }, (_, index) => {
    const run = Math.floor(index / STEPS_PER_RUN);
    return event(pickers, index % STEPS_PER_RUN, run, begins[run] as number);
  });
  const bytes = Buffer.from(JSON.stringify({ ereignisse }));
  const runs: number[][] = [];
  for (const [index, at] of placesOf(bytes, '"lauf_id":"').entries()) {
    const run = Math.floor(index / STEPS_PER_RUN);
    runs[run] = [...(runs[run] ?? []), at];
  }
  return {
    events: size,
    bytes,
    ids: placesOf(bytes, '"ereignis_id":"'),
    runs,
    times: placesOf(bytes, '"zeitpunkt":"'),
    steps: placesOf(bytes, '"schritt_nr":'),
    prints: [
      ...placesOf(bytes, '"prompt_fingerabdruck":"'),
      ...placesOf(bytes, '"werkzeug_fingerabdruck":"'),
    ],
  };
}

const HEX = '0123456789abcdef';
const RANDOM = Buffer.alloc(65_536);
let randomAt = RANDOM.length;

/** Overwrites the hex digits of a UUID, but for version and variant. */
function freshId(bytes: Buffer, at: number): void {
  if (randomAt + 36 > RANDOM.length) {
    randomFillSync(RANDOM);
    randomAt = 0;
  }
  for (let position = 0; position < 36; position += 1) {
    if (
      position === 8 ||
      position === 13 ||
      position === 14 ||
      position === 18 ||
      position === 19 ||
      position === 23
    )
      continue;
    bytes[at + position] = HEX.charCodeAt((RANDOM[randomAt++] as number) & 15);
  }
}

/** Overwrites a print of 64 bits. */
function freshPrint(bytes: Buffer, at: number): void {
  if (randomAt + 16 > RANDOM.length) {
    randomFillSync(RANDOM);
    randomAt = 0;
  }
  for (let position = 0; position < 16; position += 1)
    bytes[at + position] = HEX.charCodeAt((RANDOM[randomAt++] as number) & 15);
}

/** A body of POST /v1/ereignisse, and how many events it holds. */
export interface Batch {
  bytes: Buffer;
  events: number;
}

/** From one event of a batch to the next, in milliseconds, where they come as they happen. */
const GAP_MS = 15;

/** As the SDK sends: the events have just happened, one after the other, and their ids are ordered by time (UUID v7). */
function makeLive(bytes: Buffer, { events, ids, times }: Template): void {
  const now = Date.now();
  const time = now.toString(16).padStart(12, '0');
  const begin = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  for (const at of ids) bytes.write(begin, at, 'latin1');
  for (const [index, at] of times.entries())
    bytes.write(new Date(now - (events - index) * GAP_MS).toISOString(), at, 'latin1');
}

/**
 * Yields bodies whose ids never repeat; 20 events share a run. `sizes`: how many events a batch has, one as often as the
 * other. `live`: as the SDK sends; else ids are of chance (UUID v4), and the times of the events lie in the last hour.
 */
export function createBatches(
  cardinality = FEW,
  sizes: readonly number[] = [BATCH],
  live = false,
): () => Batch {
  const pickers = createPickers(cardinality);
  const templates = Array.from({ length: TEMPLATES }, (_, index) =>
    makeTemplate(pickers, sizes[index % sizes.length] as number),
  );
  let turn = 0;
  return () => {
    const template = templates[turn++ % TEMPLATES] as Template;
    const bytes = Buffer.from(template.bytes);
    for (const at of template.ids) freshId(bytes, at);
    for (const at of template.prints) freshPrint(bytes, at);
    for (const places of template.runs) {
      const first = places[0] as number;
      freshId(bytes, first);
      for (const at of places) bytes.copy(bytes, at, first, first + 36);
    }
    if (live) makeLive(bytes, template);
    return { bytes, events: template.events };
  };
}

/** Runs that are under way at once, and how their calls come. */
export interface RunsUnderWay {
  runs: number;
  /** Calls of a run, after which another begins in its place. */
  calls: number;
  /** `in_order`: each has just happened; `scattered`: step and time (of the last hour) are of chance, as in an import or of several processes. */
  come: 'in_order' | 'scattered';
}

/** As many digits of chance as a step has. */
const anyStep = () => FIRST_STEP + upTo(9 * FIRST_STEP);

/**
 * Yields bodies of 100 calls, each of another run: the next call of a run comes once all others had theirs. A run keeps its agent and end
 * customer; when it has all its calls, another begins.
 */
export function createRunsUnderWay({ runs, calls, come }: RunsUnderWay, cardinality = FEW): () => Batch {
  const pickers = createPickers(cardinality);
  const templates = Array.from({ length: Math.min(TEMPLATES, runs / BATCH) }, () =>
    makeTemplate(pickers, BATCH),
  );
  const ids = Buffer.from(PLACEHOLDER.repeat(runs), 'latin1');
  const done = Uint16Array.from({ length: runs }, () => upTo(calls));
  for (let run = 0; run < runs; run += 1) freshId(ids, 36 * run);
  let first = 0;
  return () => {
    const template = templates[(first / BATCH) % templates.length] as Template;
    const bytes = Buffer.from(template.bytes);
    for (const at of template.ids) freshId(bytes, at);
    for (const at of template.prints) freshPrint(bytes, at);
    makeLive(bytes, template);
    for (const [slot, at] of template.runs.flat().entries()) {
      const run = first + slot;
      if (done[run] === calls) {
        freshId(ids, 36 * run);
        done[run] = 0;
      }
      ids.copy(bytes, at, 36 * run, 36 * run + 36);
      const step = come === 'in_order' ? FIRST_STEP + (done[run] as number) : anyStep();
      bytes.write(String(step), template.steps[slot] as number, 'latin1');
      if (come === 'scattered')
        bytes.write(
          new Date(Date.now() - upTo(3_600_000)).toISOString(),
          template.times[slot] as number,
          'latin1',
        );
      done[run] = (done[run] as number) + 1;
    }
    first = (first + BATCH) % runs;
    return { bytes, events: BATCH };
  };
}
