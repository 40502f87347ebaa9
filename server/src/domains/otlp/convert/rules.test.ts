import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Attributes, OtlpRecord } from '../wire/record.ts';
import { callsOf } from './calls.ts';
import { eventOf } from './events.ts';
import { sight } from './sighting.ts';
import { DEFAULT_NAMES } from './who.ts';

const SECOND = 1_000_000;
const START = 1_795_000_000 * SECOND;
const TRACE = '0123456789abcdef0123456789abcdef';

interface Given extends Partial<Omit<OtlpRecord, 'origin' | 'attributes'>> {
  scope?: string;
  resource?: Attributes;
  /** Seconds after the start. */
  from?: number;
  to?: number;
}

/** A span that lies in one trace unless said otherwise. */
const span = (id: string, attributes: Attributes, given: Given = {}): OtlpRecord => ({
  signal: 'span',
  origin: {
    scope: given.scope ?? 'test',
    version: null,
    resource: { 'service.instance.id': 'one', ...given.resource },
  },
  trace: TRACE,
  span: id,
  parent: null,
  name: 'span',
  begin: START + (given.from ?? 0) * SECOND,
  end: START + (given.to ?? 1) * SECOND,
  failed: false,
  attributes,
  events: [],
  ...given,
});

const log = (attributes: Attributes, given: Given = {}): OtlpRecord => ({
  ...span('', attributes, given),
  signal: 'log',
  trace: null,
  span: null,
  ...given,
});

const chat = (input: number | null, output: number | null, more: Attributes = {}): Attributes => ({
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.request.model': 'gpt-5.1',
  ...(input === null ? {} : { 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output }),
  ...more,
});

const calls = (...records: OtlpRecord[]) =>
  callsOf(records.flatMap((record) => sight(record, DEFAULT_NAMES, null) ?? []));

/** Input, output, cache read, cache written, reasoning of each call. */
const counts = (...records: OtlpRecord[]) =>
  calls(...records).map(({ counts: { eingabe, ausgabe, cacheLese, cacheSchreib, denk } }) => [
    eingabe,
    ausgabe,
    cacheLese,
    cacheSchreib,
    denk,
  ]);

describe('which record is the call', () => {
  it.each([
    'invoke_agent',
    'invoke_workflow',
    'create_agent',
    'execute_tool',
    'model_chunk',
    'plan',
    'what_comes',
  ])('none whose operation is %s, though it has the same names', (operation) => {
    expect(calls(span('a', { ...chat(10, 5), 'gen_ai.operation.name': operation }))).toEqual([]);
  });

  it('totals of OpenInference, AI SDK, LangSmith and Langfuse are none', () => {
    const used = { 'llm.token_count.prompt': 10, 'llm.token_count.completion': 5 };
    const records = [
      span('a', { ...used, 'openinference.span.kind': 'AGENT' }),
      span('b', { ...used, 'openinference.span.kind': 'CHAIN' }),
      span('c', { ...used, 'openinference.span.kind': 'LLM' }, { name: 'OpenAI._prepare_chat_with_tools' }),
      span('d', { 'ai.operationId': 'ai.generateText', 'ai.usage.inputTokens': 10 }),
      span('e', { 'langsmith.span.kind': 'chain', ...chat(10, 5) }),
      span('f', {
        'langfuse.observation.type': 'agent',
        'langfuse.observation.usage_details': '{"input":1}',
      }),
      span('g', chat(10, 5), { scope: 'litellm', name: 'raw_gen_ai_request' }),
      span('h', { 'db.system': 'postgresql' }),
    ];
    expect(calls(...records)).toEqual([]);
  });

  it('of Codex the record of the answer', () => {
    const used = {
      'event.name': 'codex.sse_event',
      'event.kind': 'response.completed',
      model: 'gpt-5.1-codex',
      'conversation.id': 'c-1',
      input_token_count: '1210',
      output_token_count: '341',
      cached_token_count: 1024,
      cache_write_token_count: 0,
      reasoning_token_count: 256,
      tool_token_count: 1551,
    };
    const other = { ...used, 'event.kind': 'response.output_item.done' };
    expect(counts(log(used), log(other))).toEqual([[1210, 341, 1024, 0, 256]]);
    expect(calls(log(used))[0]).toMatchObject({
      anbieter: 'openai',
      modell: 'gpt-5.1-codex',
      who: { sitzung: 'c-1' },
    });
  });

  it('that failed early by its name', () => {
    const failed = {
      failed: true,
      name: 'chat claude-sonnet-4-5',
      scope: 'openlit.instrumentation.anthropic',
    };
    expect(calls(span('a', {}, failed))).toMatchObject([{ failed: true, counts: { eingabe: null } }]);
    expect(calls(span('a', {}, { ...failed, scope: 'my.program' }))).toEqual([]);
  });
});

describe('what counts mean', () => {
  const anthropic = { 'gen_ai.provider.name': 'anthropic', 'gen_ai.request.model': 'claude-sonnet-4-5' };
  const cache = { 'gen_ai.usage.cache_read.input_tokens': 8, 'gen_ai.usage.cache_creation.input_tokens': 2 };

  it('the input has the cache in it, unless the scope is known to leave it out', () => {
    const said = chat(100, 5, { ...anthropic, ...cache });
    expect(counts(span('a', said, { scope: 'com.anthropic.sdk.typescript' }))).toEqual([
      [100, 5, 8, 2, null],
    ]);
    expect(counts(span('a', said, { scope: 'openlit.instrumentation.anthropic' }))).toEqual([
      [110, 5, 8, 2, null],
    ]);
    expect(counts(span('a', said, { scope: 'opentelemetry.instrumentation.bedrock' }))).toEqual([
      [110, 5, 8, 2, null],
    ]);
  });

  it('more cached than sent is a proof, and so is a total that is more by that', () => {
    expect(counts(span('a', chat(4, 5, cache)))).toEqual([[14, 5, 8, 2, null]]);
    expect(counts(span('a', chat(100, 5, { ...cache, 'gen_ai.usage.total_tokens': 115 })))).toEqual([
      [110, 5, 8, 2, null],
    ]);
  });

  it('a total that leaves the cache out is none against it', () => {
    const said = chat(31, 89, { ...cache, 'gen_ai.usage.total_tokens': 120 });
    expect(counts(span('a', said, { scope: 'opentelemetry.instrumentation.bedrock' }))).toEqual([
      [41, 89, 8, 2, null],
    ]);
  });

  it('what was thought beside the output is added to it', () => {
    const google = { 'gen_ai.provider.name': 'gcp.gemini', 'gen_ai.usage.total_tokens': 1_163 };
    expect(counts(span('a', chat(980, 63, google)))).toEqual([[980, 183, null, null, null]]);
    const thought = { 'gen_ai.usage.reasoning_tokens': 120 };
    expect(counts(span('a', chat(980, 63, thought)))).toEqual([[980, 183, null, null, 120]]);
  });

  it('of AI SDK 5 with what was cached or thought beside', () => {
    const sdk = (provider: string, metadata: object, input: number, output: number, total: number) => ({
      'ai.operationId': 'ai.generateText.doGenerate',
      'ai.model.provider': provider,
      'ai.usage.promptTokens': input,
      'ai.usage.completionTokens': output,
      'ai.usage.totalTokens': total,
      'ai.response.providerMetadata': JSON.stringify(metadata),
    });
    const usage = {
      input_tokens: 26,
      output_tokens: 83,
      cache_creation_input_tokens: 512,
      cache_read_input_tokens: 2_048,
    };
    expect(counts(span('a', sdk('anthropic.messages', { anthropic: { usage } }, 26, 83, 109)))).toEqual([
      [2_586, 83, 2_048, 512, null],
    ]);
    const usageMetadata = {
      promptTokenCount: 980,
      candidatesTokenCount: 63,
      thoughtsTokenCount: 120,
      cachedContentTokenCount: 640,
    };
    expect(
      counts(span('a', sdk('google.generative-ai', { google: { usageMetadata } }, 980, 63, 1_163))),
    ).toEqual([[980, 183, 640, 0, 120]]);
  });

  it('of Langfuse in both of its forms', () => {
    const generation = (usage: object) => ({
      'langfuse.observation.type': 'generation',
      'langfuse.observation.usage_details': JSON.stringify(usage),
    });
    expect(
      counts(
        span(
          'a',
          generation({
            input: 226,
            output: 89,
            total: 1_595,
            input_cache_read: 1_024,
            output_reasoning: 256,
          }),
        ),
      ),
    ).toEqual([[1_250, 345, 1_024, 0, 256]]);
    const openai = {
      input_tokens: 1_530,
      input_tokens_details: { cached_tokens: 1_152 },
      output_tokens: 443,
      output_tokens_details: { reasoning_tokens: 320 },
    };
    expect(counts(span('a', generation(openai)))).toEqual([[1_530, 443, 1_152, 0, 320]]);
  });

  it('of LiteLLM as Python shows them', () => {
    const usage =
      "{'completion_tokens': 341, 'prompt_tokens': 1210, 'completion_tokens_details': {'reasoning_tokens': 256, 'audio_tokens': None}, 'prompt_tokens_details': {'cached_tokens': 1024}}";
    const said = {
      ...chat(1_210, 341),
      'gen_ai.operation.name': 'acompletion',
      'metadata.usage_object': usage,
    };
    const given = { scope: 'litellm', name: 'litellm_request' };
    expect(counts(span('a', said, given))).toEqual([[1_210, 341, 1_024, 0, 256]]);
    const torn = usage.replace(
      "{'reasoning_tokens': 256, 'audio_tokens': None}",
      'Details(reasoning_tokens=256)',
    );
    expect(counts(span('a', { ...said, 'metadata.usage_object': torn }, given))).toEqual([
      [1_210, 341, 1_024, 0, 256],
    ]);
  });

  it('what is not said is unknown; what is no number is not said', () => {
    expect(counts(span('a', chat(null, null)))).toEqual([[null, null, null, null, null]]);
    const said = {
      ...chat(null, null),
      'gen_ai.usage.input_tokens': 'NaN',
      'gen_ai.usage.output_tokens': Number.NaN,
    };
    expect(counts(span('a', said))).toEqual([[null, null, null, null, null]]);
    expect(counts(span('a', { ...said, 'gen_ai.usage.input_tokens': '12' }))).toEqual([
      [12, null, null, null, null],
    ]);
  });
});

describe('each call once', () => {
  const id = { 'gen_ai.response.id': 'chatcmpl-abcdefghij0123456789' };

  it('by the id of its answer, in different traces, by the better source', () => {
    const without = span('a', chat(100, 7, id), { scope: 'one' });
    const withCache = span('b', chat(100, 5, { ...id, 'gen_ai.usage.cache_read.input_tokens': 8 }), {
      scope: 'two',
      trace: 'f'.repeat(32),
    });
    expect(counts(without, withCache)).toEqual([[100, 5, 8, 0, null]]);
    expect(counts(withCache, without)).toEqual([[100, 5, 8, 0, null]]);
  });

  it('not by a short one, which begins anew with the server', () => {
    const local = { 'gen_ai.response.id': 'chatcmpl-1' };
    expect(
      calls(
        span('a', chat(10, 5, local)),
        span('b', chat(12, 6, local), { from: 60, to: 61, trace: 'f'.repeat(32) }),
      ),
    ).toHaveLength(2);
  });

  it('a call around it is the same, and knows who', () => {
    const outer = span('a', chat(null, null, { 'gen_ai.agent.name': 'writer', 'session.id': 's' }), {
      scope: 'outer',
    });
    const inner = span('b', chat(10, 5), { scope: 'inner', parent: 'a' });
    expect(calls(inner, outer)).toMatchObject([
      { counts: { eingabe: 10 }, who: { agent: 'writer', sitzung: 's' }, eltern: null },
    ]);
  });

  it('a call around several is none where it has no counts, or their sum', () => {
    const inner = [
      span('b', chat(10, 5), { parent: 'a' }),
      span('c', chat(20, 6), { parent: 'a', from: 1, to: 2 }),
    ];
    for (const outer of [chat(null, null), chat(30, 11)])
      expect(counts(span('a', outer, { to: 3 }), ...inner).map(([input]) => input)).toEqual([10, 20]);
    expect(calls(span('a', chat(7, 7), { to: 3 }), ...inner)).toHaveLength(3);
  });

  it('a call that a tool makes within a call is another one', () => {
    const outer = span('a', chat(10, 5), { to: 9 });
    const tool = span('t', { 'gen_ai.operation.name': 'execute_tool' }, { parent: 'a', from: 1, to: 8 });
    expect(calls(outer, tool, span('b', chat(10, 5), { parent: 't', from: 2, to: 3 }))).toHaveLength(2);
  });

  it('two libraries beside each other, without ids, in traces of their own', () => {
    const outer = span('a', chat(10, 5), { scope: 'frame', to: 2 });
    const inner = span('b', chat(10, 5), { scope: 'client', trace: 'f'.repeat(32), from: 0.1, to: 1.9 });
    expect(calls(outer, inner)).toHaveLength(1);
    expect(calls({ ...outer, failed: true }, { ...inner, failed: true })).toHaveLength(1);
    // Another process, another time, another count, or the same library: two calls.
    const elsewhere = {
      scope: 'client',
      trace: 'f'.repeat(32),
      from: 0.1,
      to: 1.9,
      resource: { 'service.instance.id': 'two' },
    };
    expect(calls(outer, span('b', chat(10, 5), elsewhere))).toHaveLength(2);
    expect(calls(outer, { ...inner, begin: START + 5 * SECOND, end: START + 6 * SECOND })).toHaveLength(2);
    expect(calls(outer, { ...inner, attributes: chat(11, 5) })).toHaveLength(2);
    expect(calls(outer, { ...inner, origin: outer.origin })).toHaveLength(2);
  });

  it('calls side by side with the same counts stay as many as they are', () => {
    const parallel = ['a', 'b', 'c'].flatMap((name, at) => [
      span(name, chat(10, 5), {
        scope: 'frame',
        trace: `${at}`.repeat(32),
        from: at / 100,
        to: 2 + at / 100,
      }),
      span(`${name}${name}`, chat(10, 5), {
        scope: 'client',
        trace: `${at + 4}`.repeat(32),
        from: 0.1 + at / 100,
        to: 1.9 + at / 100,
      }),
    ]);
    expect(calls(...parallel)).toHaveLength(3);
  });

  it('a log record of details is of the span it names, whichever comes first', () => {
    const details = log(
      {
        ...chat(10, 5, { 'gen_ai.usage.cache_read.input_tokens': 8 }),
        'event.name': 'gen_ai.client.inference.operation.details',
      },
      { trace: TRACE, span: 'a' },
    );
    const whole = span('a', chat(12, 6, { 'gen_ai.usage.cache_read.input_tokens': 8 }));
    expect(counts(details, whole)).toEqual([[12, 6, 8, 0, null]]);
    expect(counts(details)).toEqual([[10, 5, 8, 0, null]]);
    expect(calls(log({ 'event.name': 'gen_ai.client.inference.operation.details' }))).toEqual([]);
  });

  it('Claude Code by its record and its span, or either of them', () => {
    const used = {
      input_tokens: 21,
      output_tokens: '78',
      cache_read_tokens: 2_048,
      cache_creation_tokens: 512,
      model: 'claude-sonnet-4-5',
      'session.id': 's',
    };
    const record = (sequence: number, at: number) =>
      log(
        { ...used, 'event.name': 'api_request', 'event.sequence': sequence, duration_ms: 900 },
        { scope: 'com.anthropic.claude_code.events', begin: START + at * SECOND, end: START + at * SECOND },
      );
    const request = (id: string, from: number) =>
      span(id, used, { name: 'claude_code.llm_request', from, to: from + 1 });
    const once = [[2_581, 78, 2_048, 512, null]];
    expect(counts(record(2, 1))).toEqual(once);
    expect(counts(request('a', 0))).toEqual(once);
    expect(counts(record(2, 1), request('a', 0))).toEqual(once);
    expect(counts(record(2, 1), request('a', 0), record(4, 2), request('b', 1))).toHaveLength(2);
  });
});

describe('who made a call', () => {
  const outer = (attributes: Attributes) =>
    span('a', { 'gen_ai.operation.name': 'invoke_agent', ...attributes });
  const inner = span('c', chat(10, 5), { parent: 'b' });
  const foreign = span('b', { 'http.route': '/' }, { parent: 'a' });

  it('is said by what stands around, through spans of others', () => {
    const around = outer({
      'gen_ai.agent.name': 'writer',
      'gen_ai.conversation.id': 's',
      'user.id': 'u',
      customer: 'acme',
    });
    expect(calls(inner, foreign, around)[0]).toMatchObject({
      who: { agent: 'writer', sitzung: 's', benutzer: 'u', endkunde: 'acme' },
      eltern: { id: 'b' },
      schritt: 1,
    });
  });

  it('the nearest agent is the one, and its call of an agent the run', () => {
    const run = { 'gen_ai.agent.call.id': '01a21747-3cc2-71fe-bdf8-55c6e2b4a792' };
    const nested = span(
      'b',
      { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': 'inner', ...run },
      { parent: 'a' },
    );
    const [call] = calls(inner, nested, outer({ 'gen_ai.agent.name': 'outer' }));
    expect(call?.who.agent).toBe('inner');
    expect(call && eventOf(call).lauf_id).toBe(run['gen_ai.agent.call.id']);
  });

  it('the trace is the run, as the packages make one of it', () => {
    const [call] = calls(inner);
    expect(call && eventOf(call).lauf_id).toBe('01234567-89ab-cdef-0123-456789abcdef');
  });

  it('the resource says it where nothing else does', () => {
    const resource = { 'service.name': 'shop', customer: 'acme', project: 'p' };
    expect(calls({ ...inner, origin: { ...inner.origin, resource } })[0]?.who).toMatchObject({
      agent: 'shop',
      endkunde: 'acme',
      projekt: 'p',
    });
    const unnamed = {
      ...inner,
      origin: { ...inner.origin, resource: { 'service.name': 'unknown_service:python' } },
    };
    expect(calls(unnamed)[0]?.who.agent).toBeNull();
  });

  it('custom names are found wherever a library puts them', () => {
    const carried: Attributes[] = [
      { 'langfuse.trace.metadata.customer': '"acme"' },
      { 'ai.telemetry.metadata.customer': 'acme' },
      { 'traceloop.association.properties.customer': 'acme' },
      { 'langsmith.metadata.customer': 'acme' },
      { metadata: '{"customer": "acme"}' },
    ];
    for (const attributes of carried)
      expect(calls({ ...inner, attributes: { ...inner.attributes, ...attributes } })[0]?.who.endkunde).toBe(
        'acme',
      );
  });

  it('first token and errors in their units', () => {
    const first = (attributes: Attributes, scope = 'x') =>
      calls(span('a', chat(1, 1, attributes), { scope }))[0]?.ersteZeichenMs;
    expect(first({ 'gen_ai.response.time_to_first_chunk': 0.235 })).toBe(235);
    expect(first({ 'ai.response.msToFirstChunk': 114.98 })).toBe(115);
    expect(first({ 'gen_ai.server.time_to_first_token': 0.1 })).toBe(100);
    expect(first({ 'gen_ai.server.time_to_first_token': 295 }, 'strands.telemetry.tracer')).toBe(295);
    const [failed] = calls(span('a', chat(null, null, { 'error.type': 'overloaded_error' })));
    expect(failed && eventOf(failed)).toMatchObject({
      status: 'fehlgeschlagen',
      fehlercode: 'overloaded_error',
    });
  });
});

it('the id of an event is that which the packages derive', () => {
  const file = join(import.meta.dirname, '../../../../../clients/golden/ids.json');
  const [{ id, ereignis_id }] = JSON.parse(readFileSync(file, 'utf8'));
  const [call] = calls(span('a', chat(1, 1, { 'gen_ai.response.id': id })));
  expect(call && eventOf(call).ereignis_id).toBe(ereignis_id);
});
