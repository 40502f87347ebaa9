/** Files as the services write them. */
import { expect, test } from 'vitest';
import { idOfAnswer } from '../answer-id.ts';
import { NotImportable } from './index.ts';
import { ANSWER, csv, readExport, SPEND_LOG } from './test-export.ts';

const CALL = {
  ereignis_id: idOfAnswer(ANSWER, 0),
  zeitpunkt: '2026-03-02T10:00:00.000Z',
  latenz_ms: 4_500,
  erste_zeichen_ms: 1_000,
  anbieter: 'openai',
  modell: 'gpt-4o-mini',
  eingabe_token: 1_200,
  ausgabe_token: 300,
  cache_lese_token: 1_000,
  cache_schreib_token: null,
  denk_token: 100,
  agent: 'support/triage',
  benutzer_ref: 'u-1',
  endkunde_ref: 'kunde-7',
  lauf_id: '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b',
  quelle: 'import:litellm',
  zusatz: { eingabe_umfasst_cache: true, ausgabe_umfasst_denken: true },
};

test.each([
  ['CSV', csv(SPEND_LOG)],
  ['a list', JSON.stringify([SPEND_LOG])],
  ['a list in an object', JSON.stringify({ data: [SPEND_LOG] })],
  ['an object a line', `${JSON.stringify(SPEND_LOG)}\n`],
])('LiteLLM: a row of its spend logs as %s', (_form, file) => {
  const found = { service: 'LiteLLM', rows: 1, events: [CALL], left: new Map(), cost: '0.0123' };
  for (const piece of [1, 7, 100, file.length]) expect(readExport(file, piece)).toEqual(found);
});

test('LiteLLM: its standard payload; failures, what its own cache answered, ids that name nothing', () => {
  const { request_id: _, session_id: __, ...rest } = SPEND_LOG;
  const payload = {
    ...rest,
    id: ANSWER,
    startTime: 1_772_445_600,
    endTime: 1_772_445_604.5,
    completionStartTime: 1_772_445_601,
  };
  const failed = {
    ...payload,
    id: '7',
    litellm_call_id: 'b7b9',
    status: 'failure',
    prompt_tokens: null,
    error_information: { error_code: '429' },
  };
  const { events, left } = readExport(
    [payload, failed, { ...payload, cache_hit: true }, { ...payload, model: '' }]
      .map((row) => JSON.stringify(row))
      .join('\n'),
  );
  const { lauf_id: ___, ...call } = CALL;
  expect(events[0]).toMatchObject(call);
  expect(events[1]).toMatchObject({ status: 'fehler', fehlercode: '429', eingabe_token: null });
  expect(events[1]?.ereignis_id).not.toBe(events[0]?.ereignis_id);
  expect([...left]).toEqual([
    ['eigener_cache', 1],
    ['kein_modell', 1],
  ]);
});

test('Langfuse: generations alone, in buckets that do not overlap', () => {
  const observation = {
    id: 'a1b2c3',
    trace_id: '0192f5c17d2e7c3a9b610a4f5e6d7c8b',
    type: 'GENERATION',
    name: 'answer',
    trace_name: 'support',
    start_time: '2026-03-02 10:00:00.000',
    end_time: '2026-03-02 10:00:02.000',
    provided_model_name: 'claude-sonnet-4-5',
    usage_details: { input: 21, cache_read_input_tokens: 2_560, output: 40, total: 2_621 },
    user_id: 'u-1',
    level: 'DEFAULT',
    metadata: { attributes: { 'gen_ai.response.id': 'msg_01XFDUDYJgAACzvnptvVoYEL' } },
  };
  const { service, events, left } = readExport(
    csv(observation, { ...observation, type: 'SPAN' }, { ...observation, level: 'ERROR', metadata: {} }),
  );
  expect([service, [...left]]).toEqual(['Langfuse', [['kein_aufruf', 1]]]);
  expect(events[0]).toEqual({
    ereignis_id: idOfAnswer('msg_01XFDUDYJgAACzvnptvVoYEL', 0),
    zeitpunkt: '2026-03-02T10:00:00.000Z',
    latenz_ms: 2_000,
    erste_zeichen_ms: null,
    modell: 'claude-sonnet-4-5',
    eingabe_token: 21,
    ausgabe_token: 40,
    cache_lese_token: 2_560,
    cache_schreib_token: null,
    denk_token: null,
    agent: 'support',
    lauf_id: '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b',
    benutzer_ref: 'u-1',
    quelle: 'import:langfuse',
    zusatz: { eingabe_umfasst_cache: false, ausgabe_umfasst_denken: false },
  });
  expect(events[1]).toMatchObject({ status: 'fehler' });
  expect(events[1]?.ereignis_id).not.toBe(events[0]?.ereignis_id);
});

test('OpenRouter: generations, with what it says they cost; with a key of one’s own the provider’s part, too', () => {
  const head =
    'generation_id,created_at,cost_total,byok_usage_inference,tokens_prompt,tokens_completion,tokens_reasoning,tokens_cached,model_permaslug,cancelled,user,generation_time_ms,time_to_first_token_ms,app_name';
  const { events } = readExport(
    [
      head,
      'gen-1782618417-NEpXKqXYIDjS7TmNrT9j,2026-06-28 03:46:57.713,0.0123,0,10389,137,12,10000,openai/gpt-oss-120b,false,u-1,2100,300,shop',
      'gen-1782618418-NEpXKqXYIDjS7TmNrT9k,2026-06-28 03:46:58,0.0005,0.01,10,2,,,openai/gpt-4o,true,,,,',
    ].join('\n'),
  );
  expect(events[0]).toMatchObject({
    ereignis_id: idOfAnswer('gen-1782618417-NEpXKqXYIDjS7TmNrT9j', 0),
    zeitpunkt: '2026-06-28T03:46:57.713Z',
    anbieter: 'openrouter',
    modell: 'openai/gpt-oss-120b',
    eingabe_token: 10_389,
    ausgabe_token: 137,
    cache_lese_token: 10_000,
    denk_token: 12,
    latenz_ms: 2_100,
    agent: 'shop',
    zusatz: { gemeldete_kosten_usd: '0.0123' },
  });
  expect(events[1]).toMatchObject({
    status: 'abgebrochen',
    cache_lese_token: null,
    agent: 'openrouter',
    zusatz: { gemeldete_kosten_usd: '0.0105' },
  });
});

test('Helicone: requests, named by the answer where bodies are there', () => {
  const request = {
    response_id: '5d1f1c1e-0000-4000-8000-000000000001',
    response_created_at: '2026-03-02T10:00:02Z',
    response_status: 200,
    request_created_at: '2026-03-02T10:00:00Z',
    request_properties: { 'Helicone-Session-Id': '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b' },
    request_user_id: 'u-1',
    model: 'gpt-4o-mini',
    prompt_tokens: 12,
    completion_tokens: 3,
    latency: 2_000,
    cost: 0.1,
  };
  const known = {
    zeitpunkt: '2026-03-02T10:00:00.000Z',
    modell: 'gpt-4o-mini',
    eingabe_token: 12,
    ausgabe_token: 3,
    latenz_ms: 2_000,
    benutzer_ref: 'u-1',
    lauf_id: '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b',
  };
  const { service, events } = readExport(
    csv(request, { ...request, response_id: '5d1f1c1e-0000-4000-8000-000000000002', response_status: 500 }),
  );
  expect(service).toBe('Helicone');
  expect(events[0]).toMatchObject({ ...known, cache_lese_token: null });
  expect(events[1]).toMatchObject({ status: 'fehler', fehlercode: '500' });
  const whole = {
    ...request,
    response_body: { id: ANSWER },
    provider: 'OPENAI',
    prompt_cache_read_tokens: 8,
  };
  expect(readExport(JSON.stringify([whole])).events).toMatchObject([
    { ...known, ereignis_id: idOfAnswer(ANSWER, 0), anbieter: 'openai', cache_lese_token: 8 },
  ]);
});

test.each([
  [
    'OpenAI',
    JSON.stringify({
      data: [{ start_time: 1, end_time: 2, results: [{ input_tokens: 1, num_model_requests: 3 }] }],
    }),
  ],
  ['OpenAI as CSV', 'start_time,model,num_model_requests,input_tokens\n1,gpt-4o,3,100'],
  ['LiteLLM by day', 'date,api_key,model,spend,api_requests\n2026-03-02,x,gpt-4o,1,5'],
  [
    'OpenRouter by day, as its interface gives them',
    JSON.stringify({
      data: [{ date: '2026-03-02', model: 'openai/gpt-4o', usage: 1, requests: 5, prompt_tokens: 50 }],
    }),
  ],
  ['OpenRouter by model', 'Model,Spend,Requests\nopenai/gpt-4o,1,5'],
])('sums of %s are refused with a sentence that says so', (_of, file) => {
  expect(() => readExport(file)).toThrow(NotImportable);
  expect(() => readExport(file)).toThrow('It holds sums, not calls');
});

test.each([
  ['nothing', '', 'There is no row in it.'],
  [
    'something else',
    'name,colour\nUlm,blue',
    'It is of no service that is known (LiteLLM, Langfuse, OpenRouter, Helicone, Claude Code): name, colour',
  ],
])('%s is refused', (_what, file, said) => {
  expect(() => readExport(file)).toThrow(said);
});

test('what has no time or no name is left: it would be counted today, or with each import', () => {
  const row = { call_type: 'acompletion', custom_llm_provider: 'openai', model: 'gpt-4o', prompt_tokens: 3 };
  const named = { ...row, request_id: 'r-1' };
  const { events, left } = readExport(
    JSON.stringify([
      { ...named, startTime: 'yesterday' },
      { ...row, startTime: '2026-11-01T10:00:00Z' },
      { ...named, startTime: '2026-11-01 10:00:00.5+02' },
    ]),
  );
  expect(events.map(({ zeitpunkt }) => zeitpunkt)).toEqual(['2026-11-01T08:00:00.500Z']);
  expect([...left]).toEqual([
    ['keine_zeit', 1],
    ['keine_kennung', 1],
  ]);
});
