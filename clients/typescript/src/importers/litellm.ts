/**
 * LiteLLM: rows of the table `LiteLLM_SpendLogs`, or its `StandardLoggingPayload`. Its counts are those of OpenAI's answers for every
 * provider: input with what the cache had, output with what was thought.
 */
import type { Ereignis } from '../event.ts';
import { type Importer, idOf } from './importer.ts';
import type { Row } from './rows.ts';
import { between, costIn, countIn, instantIn, partOf, runOf, textIn } from './values.ts';

const usageIn = (row: Row, ...path: string[]) =>
  partOf(row.metadata, 'usage_object', ...path) ?? partOf(row.response, 'usage', ...path);

const isFailed = (row: Row): boolean => /^fail/i.test(textIn(row.status) ?? '');

/** What a call that failed without a usage has in its sums is LiteLLM's own guess. */
function counts(row: Row) {
  if (isFailed(row) && usageIn(row, 'prompt_tokens') == null)
    return { eingabe_token: null, ausgabe_token: null };
  const usage = (...path: string[]) => usageIn(row, ...path);
  return {
    eingabe_token: countIn(row.prompt_tokens),
    ausgabe_token: countIn(row.completion_tokens),
    cache_lese_token: countIn(
      usage('prompt_tokens_details', 'cached_tokens'),
      usage('cache_read_input_tokens'),
    ),
    cache_schreib_token: countIn(
      usage('cache_creation_input_tokens'),
      usage('prompt_tokens_details', 'cache_creation_tokens'),
    ),
    denk_token: countIn(usage('completion_tokens_details', 'reasoning_tokens')),
  };
}

/** The first characters came with the last ones where nothing was streamed: then it is not known when. */
function times(row: Row) {
  const [begin, first, end] = [row.startTime, row.completionStartTime, row.endTime].map(instantIn);
  return {
    zeitpunkt: begin ?? null,
    latenz_ms: between(begin ?? null, end ?? null),
    erste_zeichen_ms: first === end ? null : between(begin ?? null, first ?? null),
  };
}

/** Without the provider that it names in front of the model, too. */
function modelOf(model: string, provider: string | null): string {
  return provider !== null && model.startsWith(`${provider}/`) ? model.slice(provider.length + 1) : model;
}

function who(row: Row): Pick<Ereignis, 'agent' | 'endkunde_ref' | 'benutzer_ref' | 'lauf_id'> {
  const agent = textIn(row.agent_id, partOf(row.metadata, 'user_api_key_alias'), row.model_group);
  return {
    agent: agent ?? 'litellm',
    endkunde_ref: textIn(row.end_user),
    benutzer_ref: textIn(row.user, partOf(row.metadata, 'user_api_key_user_id')),
    lauf_id: runOf(textIn(row.session_id, row.trace_id)),
  };
}

/** Base64 of `litellm:custom_llm_provider:…;model_id:…;response_id:resp_…` as it begins: LiteLLM puts the id of a response into one of its own. */
const WRAPPED = /^resp_(bGl0ZWxsbTpjdXN0b21fbGxtX3Byb3ZpZGVy[A-Za-z0-9+/]*={0,2})$/;

/** The id by which the provider names the answer. */
function answerIdIn(id: string | null): string | null {
  const wrapped = WRAPPED.exec(id ?? '')?.[1];
  if (wrapped === undefined || wrapped.length % 4 !== 0) return id;
  return /;response_id:([\w-]+)$/.exec(atob(wrapped))?.[1] ?? id;
}

const isTrue = (value: unknown): boolean => value === true || /^true$/i.test(String(value));

function outcome(row: Row): Pick<Ereignis, 'status' | 'fehlercode'> {
  if (!isFailed(row)) return {};
  const code = textIn(
    partOf(row.error_information, 'error_code'),
    partOf(row.metadata, 'error_information', 'error_code'),
  );
  return { status: 'fehler', fehlercode: code };
}

export const litellm: Importer = {
  name: 'LiteLLM',
  recognises: (row) => 'call_type' in row && 'custom_llm_provider' in row && 'prompt_tokens' in row,
  read(row) {
    if (isTrue(row.cache_hit)) return { left: 'eigener_cache' };
    const provider = textIn(row.custom_llm_provider);
    const model = textIn(row.model);
    if (model === null) return { left: 'kein_modell' };
    const id = answerIdIn(textIn(row.request_id, row.id));
    return {
      cost: costIn(row.spend, row.response_cost),
      events: [
        {
          ...idOf('litellm', id, textIn(row.litellm_call_id)),
          ...times(row),
          anbieter: provider,
          modell: modelOf(model, provider),
          ...counts(row),
          ...who(row),
          ...outcome(row),
          quelle: 'import:litellm',
          zusatz: { eingabe_umfasst_cache: true, ausgabe_umfasst_denken: true },
        },
      ],
    };
  },
};
