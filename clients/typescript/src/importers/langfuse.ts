/**
 * Langfuse: observations as the table, the blob export or the interface give them. Its usage is in buckets that do not overlap: `input` is
 * without the cache, `output` without what was thought.
 */
import type { Ereignis } from '../event.ts';
import { type Importer, idOf } from './importer.ts';
import type { Row } from './rows.ts';
import { between, costIn, countIn, instantIn, partOf, runOf, textIn } from './values.ts';

const CALLS = ['GENERATION', 'EMBEDDING'];
const CACHE_READ = ['cache_read_input_tokens', 'input_cached_tokens', 'input_cache_read', 'cached_tokens'];
const CACHE_WRITTEN = ['cache_creation_input_tokens', 'input_cache_creation', 'input_cache_write'];
const THOUGHT = ['output_reasoning_tokens', 'output_reasoning', 'reasoning_tokens'];

const either = (row: Row, ...names: string[]): unknown =>
  names.map((name) => row[name]).find((value) => value !== undefined && value !== '');

/** Only buckets that are named are known; of a usage that names input none of the others costs anything. */
function counts(row: Row): Partial<Ereignis> {
  const usage = either(row, 'usageDetails', 'usage_details');
  const of = (names: string[]) => countIn(...names.map((name) => partOf(usage, name)));
  return {
    eingabe_token: countIn(partOf(usage, 'input'), row.inputUsage, row.promptTokens),
    ausgabe_token: countIn(partOf(usage, 'output'), row.outputUsage, row.completionTokens),
    cache_lese_token: of(CACHE_READ),
    cache_schreib_token: of(CACHE_WRITTEN),
    denk_token: of(THOUGHT),
  };
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
