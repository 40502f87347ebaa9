/** What the fake providers say is what the converters read, and what they did is what they tell. */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { toEvents } from '#client/index.ts';
import { type FakeProvider, startFakeProvider } from './index.ts';

let fake: FakeProvider;
beforeAll(async () => {
  fake = await startFakeProvider();
});
afterAll(() => fake.stop());

const asked = [{ role: 'user', content: 'How hot is boiling water?' }];
const functionTool = { type: 'function', function: { name: 'search', parameters: { type: 'object' } } };
const claude = { model: 'claude-sonnet-4-5', max_tokens: 50, messages: asked };
const BEDROCK = '/model/eu.anthropic.claude-sonnet-4-5-20250929-v1%3A0';
const GEMINI = '/v1beta/models/gemini-3-pro';
const talk = { contents: [{ role: 'user', parts: [{ text: 'How hot?' }] }] };
const converse = { messages: [{ role: 'user', content: [{ text: 'How hot?' }] }] };
const counted = { stream_options: { include_usage: true } };

const CASES: [string, string, object][] = [
  ['chat', '/v1/chat/completions', { model: 'gpt-5.1', messages: asked }],
  ['chat-tool', '/v1/chat/completions', { model: 'gpt-5.1', messages: asked, tools: [functionTool] }],
  ['chat-stream', '/v1/chat/completions', { model: 'gpt-5.1', messages: asked, stream: true, ...counted }],
  ['responses', '/v1/responses', { model: 'gpt-5.1', input: 'How hot?' }],
  [
    'responses-stream',
    '/v1/responses',
    { model: 'gpt-5.1', input: 'How hot?', stream: true, tools: [{ type: 'function', name: 'search' }] },
  ],
  ['embeddings', '/v1/embeddings', { model: 'text-embedding-3-small', input: ['hot'] }],
  ['messages', '/v1/messages', claude],
  ['messages-stream', '/v1/messages', { ...claude, stream: true, tools: [{ name: 'search' }] }],
  ['gemini', `${GEMINI}:generateContent`, talk],
  [
    'gemini-stream',
    `${GEMINI}:streamGenerateContent?alt=sse`,
    { ...talk, tools: [{ functionDeclarations: [{ name: 'search' }] }] },
  ],
  ['mistral', '/v1/chat/completions', { model: 'mistral-large-latest', messages: asked }],
  [
    'mistral-stream',
    '/v1/chat/completions',
    { model: 'mistral-large-latest', messages: asked, stream: true },
  ],
  ['cohere', '/v2/chat', { model: 'command-a-03-2025', messages: asked, tools: [functionTool] }],
  ['cohere-stream', '/v2/chat', { model: 'command-a-03-2025', messages: asked, stream: true }],
  ['cohere-first', '/v1/chat', { model: 'command-a-03-2025', message: 'How hot?' }],
  [
    'cohere-first-stream',
    '/v1/chat',
    { model: 'command-a-03-2025', message: 'How hot?', stream: true, tools: [{ name: 'search' }] },
  ],
  ['converse', `${BEDROCK}/converse`, converse],
  [
    'converse-stream',
    `${BEDROCK}/converse-stream`,
    { ...converse, toolConfig: { tools: [{ toolSpec: { name: 'search' } }] } },
  ],
  ['invoke', `${BEDROCK}/invoke`, { max_tokens: 50, messages: asked }],
  ['invoke-stream', `${BEDROCK}/invoke-with-response-stream`, { max_tokens: 50, messages: asked }],
];

const post = (address: string, body: object) =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

test.each(CASES)('%s: the event of the answer has the counts that are true', async (tag, path, request) => {
  const uri = `${fake.url(tag)}${path}`;
  const response = await post(uri, request);
  const { events, unconverted } = toEvents({
    uri,
    request,
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    body: await response.text(),
  });
  const [truth] = fake.truth(tag);
  expect(unconverted).toEqual([]);
  expect(truth).toMatchObject({ status: 200, complete: true, saysUsage: true, number: 1 });
  expect(events).toMatchObject([
    {
      modell: truth?.model,
      eingabe_token: truth?.input,
      ausgabe_token: truth?.output,
      werkzeugaufrufe: truth?.toolCalls,
      status: 'erfolgreich',
    },
  ]);
  const [event] = events;
  expect(event?.cache_lese_token ?? 0).toBe(truth?.cacheRead);
  expect(event?.cache_schreib_token ?? 0).toBe(truth?.cacheWrite);
  expect(event?.denk_token ?? 0).toBe(truth?.reasoning);
});

test('the first requests of a tag are refused as directed, in the provider’s form, and the next is answered', async () => {
  const uri = `${fake.url('twice', 'fail=429x2')}/v1/messages`;
  const answers = [await post(uri, claude), await post(uri, claude), await post(uri, claude)];
  expect(answers.map(({ status }) => status)).toEqual([429, 429, 200]);
  expect(await answers[0]?.json()).toMatchObject({ type: 'error', error: { type: 'rate_limit_error' } });
  expect(fake.truth('twice').map(({ status, output }) => [status, output])).toEqual([
    [429, 0],
    [429, 0],
    [200, 43],
  ]);
});

test('a loop asks for the same tool whatever it returned; otherwise a result is answered with text', async () => {
  const returned = [...asked, { role: 'tool', tool_call_id: 'call_1', content: 'hot' }];
  const request = { model: 'gpt-5.1', messages: returned, tools: [functionTool] };
  await post(`${fake.url('loop', 'loop')}/v1/chat/completions`, request);
  await post(`${fake.url('no-loop')}/v1/chat/completions`, request);
  expect(fake.truth('loop')[0]?.toolCalls).toBe(1);
  expect(fake.truth('no-loop')[0]?.toolCalls).toBe(0);
});

test.each([
  ['cut', 'terminated'],
  ['upset', undefined],
])('a stream directed to be %s does not count as complete', async (direction, error) => {
  const request = { model: 'gpt-5.1', messages: asked, stream: true };
  const response = await post(`${fake.url(direction, direction)}/v1/chat/completions`, request);
  const body = await response.text().catch((cause: Error) => cause.message);
  expect(body).toContain(error ?? '{"error":');
  expect(fake.truth(direction)[0]).toMatchObject({ complete: false, saysUsage: false });
});

test('a stream is complete once its last piece is there, whether or not its reader waits for the end', async () => {
  const request = { model: 'gpt-5.1', messages: asked, stream: true };
  const response = await post(`${fake.url('last', 'slow=50', 'words=1')}/v1/chat/completions`, request);
  const decoder = new TextDecoder();
  for await (const bytes of response.body as ReadableStream<Uint8Array>) {
    if (decoder.decode(bytes).includes('[DONE]')) break;
  }
  expect(fake.truth('last')).toMatchObject([{ complete: true }]);
});

test('as a program of its own it says where it listens, and tells the truth over HTTP', async () => {
  const program = spawn(process.execPath, [join(import.meta.dirname, 'serve.ts')], { stdio: 'pipe' });
  try {
    const [line] = (await once(program.stdout, 'data')) as [Buffer];
    const origin = /http:\S+/.exec(line.toString())?.[0];
    await post(`${origin}/~a/v1/messages`, claude);
    await post(`${origin}/~b/v1/messages`, claude);
    const told = async (path: string) =>
      ((await (await fetch(`${origin}${path}`)).json()) as { tag: string }[]).map(({ tag }) => tag);
    expect(await told('/truth')).toEqual(['a', 'b']);
    expect(await told('/truth?tag=b')).toEqual(['b']);
    await fetch(`${origin}/truth`, { method: 'DELETE' });
    expect(await told('/truth')).toEqual([]);
  } finally {
    program.kill();
    await once(program, 'exit');
  }
});
