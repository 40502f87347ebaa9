/**
 * Langfuse: observations as the table, the blob export or the interface give them. Its usage is in buckets that do not overlap: `input` is
 * without the cache, `output` without what was thought.
 */
import type { Ereignis } from '../event.ts';
import { membersOf } from '../json.ts';
import { type Importer, idOf } from './importer.ts';
import type { Row } from './rows.ts';
import { between, costIn, countIn, instantIn, partOf, runOf, textIn } from './values.ts';

const CALLS = ['GENERATION', 'EMBEDDING'];

/** What is in a bucket, by its name: instrumentations name them after what a provider tells in parts (`input_cached_tokens`, `output_audio_tokens`). */
const BUCKETS = [
  // Parts that lie in others.
  [/^total$|^(in|out)put_priority|^cache_creation_ephemeral|^cached_content_token_count$/, null],
  [/cach.*(creat|writ)|ephemeral/, 'cache_schreib_token'],
  [/cach/, 'cache_lese_token'],
  [/reason|thought/, 'denk_token'],
  [/^input/, 'eingabe_token'],
  [/^output/, 'ausgabe_token'],
] as const;

const either = (row: Row, ...names: string[]): unknown =>
  names.map((name) => row[name]).find((value) => value !== undefined && value !== '');

type Counts = Record<Exclude<(typeof BUCKETS)[number][1], null>, number | null>;

/** Only buckets that are named are known; of a usage that names input none of the others costs anything. */
function counts(row: Row): Counts {
  const found: Counts = {
    eingabe_token: null,
    ausgabe_token: null,
    cache_lese_token: null,
    cache_schreib_token: null,
    denk_token: null,
  };
  const usage = partOf(either(row, 'usageDetails', 'usage_details'));
  for (const [name, value] of Object.entries(membersOf(usage))) {
    const count = countIn(value);
    const field = BUCKETS.find(([pattern]) => pattern.test(name.toLowerCase()))?.[1] ?? null;
    if (field !== null && count !== null) found[field] = (found[field] ?? 0) + count;
  }
  found.eingabe_token ??= countIn(row.inputUsage, row.promptTokens);
  found.ausgabe_token ??= countIn(row.outputUsage, row.completionTokens);
  return found;
}

function times(row: Row): Partial<Ereignis> {
  const begin = instantIn(either(row, 'startTime', 'start_time'));
  return {
    zeitpunkt: begin,
    latenz_ms: between(begin, instantIn(either(row, 'endTime', 'end_time'))),
    erste_zeichen_ms: between(begin, instantIn(either(row, 'completionStartTime', 'completion_start_time'))),
  };
}

/** The provider's id of the answer, where instrumentation has kept it. */
const answerIn = ({ metadata }: Row): string | null =>
  textIn(
    partOf(metadata, 'attributes', 'gen_ai.response.id'),
    partOf(metadata, 'gen_ai.response.id'),
    partOf(metadata, 'response_id'),
  );

export const langfuse: Importer = {
  name: 'Langfuse',
  recognises: (row) =>
    either(row, 'traceId', 'trace_id') !== undefined &&
    'type' in row &&
    ['usageDetails', 'usage_details'].some((name) => name in row),
  read(row) {
    if (!CALLS.includes(String(row.type).toUpperCase())) return { left: 'kein_aufruf' };
    const model = textIn(either(row, 'model', 'providedModelName', 'provided_model_name'));
    if (model === null) return { left: 'kein_modell' };
    return {
      cost: costIn(
        either(row, 'totalCost', 'total_cost', 'calculatedTotalCost'),
        partOf(either(row, 'costDetails', 'cost_details'), 'total'),
      ),
      events: [
        {
          ...idOf('langfuse', answerIn(row), textIn(row.id)),
          ...times(row),
          modell: model,
          ...counts(row),
          agent: textIn(either(row, 'traceName', 'trace_name', 'name')) ?? 'langfuse',
          lauf_id: runOf(textIn(either(row, 'traceId', 'trace_id'))),
          benutzer_ref: textIn(either(row, 'userId', 'user_id')),
          ...(textIn(row.level) === 'ERROR' ? { status: 'fehler' } : {}),
          quelle: 'import:langfuse',
          zusatz: { eingabe_umfasst_cache: false, ausgabe_umfasst_denken: false },
        },
      ],
    };
  },
};
