/**
 * What being connected costs a call: `node bench/clients/run.ts`. The same calls of an instrumented and a plain `fetch` whose answers are
 * there at once, in turns; nothing is sent, so that what is measured is what the caller waits for, and what is done beside. Time of the
 * processor, which other work of the machine does not change.
 */
import { createClient } from '../../clients/typescript/src/index.ts';

const ROUNDS = 40;
const CALLS = 250;
const TEXT = 'How hot is boiling water at sea level? '.repeat(50);

const body = (stream: boolean) =>
  JSON.stringify({ model: 'gpt-5.1', messages: [{ role: 'user', content: TEXT }], stream });
const usage = { prompt_tokens: 500, completion_tokens: 50, total_tokens: 550 };
const json = JSON.stringify({
  id: `chatcmpl-${'a'.repeat(24)}`,
  model: 'gpt-5.1',
  choices: [{ message: {} }],
  usage,
});
const event = (choices: object[], more = {}) =>
  `data: ${JSON.stringify({ id: `chatcmpl-${'a'.repeat(24)}`, object: 'chat.completion.chunk', created: 1_780_000_000, model: 'gpt-5.1', choices, ...more })}\n\n`;
const chunk = event([{ index: 0, delta: { content: 'word ' }, finish_reason: null }]);
const last = event([], { usage });

function answer(init: RequestInit | undefined): Response {
  if (!String(init?.body).endsWith('"stream":true}'))
    return new Response(json, { headers: { 'content-type': 'application/json' } });
  const encoder = new TextEncoder();
  const pieces = [...Array.from({ length: 50 }, () => chunk), last].map((piece) => encoder.encode(piece));
  const stream = new ReadableStream({
    pull(controller) {
      const piece = pieces.shift();
      if (piece) controller.enqueue(piece);
      else controller.close();
    },
  });
  return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
}

const provider = (async (_input: unknown, init?: RequestInit) => answer(init)) as typeof fetch;
const service = (async (_input: unknown, init?: RequestInit) => {
  if (init?.method === 'POST') return new Response('{}', { status: 202 });
  await new Promise((resolve) => setTimeout(resolve, 50));
  return Response.json(
    { eingriffe: [], fingerabdruck_schluessel: '5a'.repeat(32) },
    { headers: { etag: '"1"' } },
  );
}) as typeof fetch;

const zw = createClient({
  baseUrl: 'http://service.invalid',
  key: 'k',
  agent: 'bench',
  fetch: service,
  maxQueue: 1_000_000,
});
const connected = zw.instrument({ fetch: provider });

/** Microseconds of a call. */
async function timeOf(call: typeof fetch, stream: boolean): Promise<number> {
  const init = { method: 'POST', body: body(stream) };
  const begin = process.cpuUsage();
  for (let i = 0; i < CALLS; i++)
    await (await call('https://api.openai.com/v1/chat/completions', init)).text();
  const { user, system } = process.cpuUsage(begin);
  return (user + system) / CALLS;
}

/** The quickest tenth: other work of the machine takes its caches, too. */
const undisturbed = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 10)] as number;

for (const stream of [false, true]) {
  const plain: number[] = [];
  const seen: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    plain.push(await timeOf(provider, stream));
    seen.push(await timeOf(connected, stream));
  }
  const [without, withIt] = [undisturbed(plain), undisturbed(seen)];
  console.log(
    `${stream ? 'a stream of 51 pieces' : 'an answer as JSON'}: ${without.toFixed(0)} µs, connected ${withIt.toFixed(0)} µs: ${(withIt - without).toFixed(0)} µs a call`,
  );
}
await zw.shutdown();
