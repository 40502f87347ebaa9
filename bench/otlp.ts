/**
 * What a call costs that OpenTelemetry tells of, beside the same call as an event: both by a hundred in a request, at the same pace, in
 * windows in turn. The spans come from OpenTelemetry's own SDK and exporter. Then how much memory traces take whose ends are not there yet.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Context, ROOT_CONTEXT, type Span, type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { median, round, waitUntilCounted } from './ingest.ts';
import { Sender } from './sender.ts';
import { type BenchService, startBenchService } from './service.ts';

const CALLS_PER_RUN = 4;
const RUNS_PER_REQUEST = 25;
const CALLS_PER_REQUEST = CALLS_PER_RUN * RUNS_PER_REQUEST;
const CALLS_PER_SECOND = 500;
const PAIRS = 3;
/** Milliseconds between two questions: spans are held for some seconds, and each question costs what some calls do. */
const SELDOM = 1_000;
const OPEN_TRACES = 10_000;
/** Two thousand characters, as a prompt with what was looked up for it has. */
const PROMPT =
  'The customer asks when the order of last week arrives, and what happens if it does not. '.repeat(23);
const ANSWER = 'It arrives on Thursday; otherwise the price of the delivery is paid back. '.repeat(5);

const upTo = (limit: number) => Math.floor(Math.random() * limit);

/** A call, sent as an event or as a span. */
interface MadeCall {
  agent: string;
  customer: string;
  input: number;
  output: number;
  cached: number;
  begin: number;
  milliseconds: number;
}

const makeCall = (agent: string, begin: number): MadeCall => ({
  agent,
  customer: `EK-${upTo(200)}`,
  input: 600 + upTo(3_000),
  output: 20 + upTo(400),
  cached: upTo(500),
  begin,
  milliseconds: 500 + upTo(3_000),
});

const eventOf = (call: MadeCall, run: string, step: number) => ({
  ereignis_id: randomUUID(),
  anbieter: 'openai',
  modell: 'gpt-4o-mini',
  agent: call.agent,
  lauf_id: run,
  schritt_nr: step,
  zeitpunkt: new Date(call.begin).toISOString(),
  eingabe_token: call.input,
  ausgabe_token: call.output,
  cache_lese_token: call.cached,
  latenz_ms: call.milliseconds,
  status: 'erfolgreich',
  endkunde_ref: call.customer,
  prompt_fingerabdruck: randomUUID().replaceAll('-', '').slice(0, 16),
  quelle: 'sdk',
});

const runsOf = (count: number, of: (agent: string, begin: number) => void): void => {
  for (let run = 0; run < count; run += 1) of(`agent-${upTo(20)}`, Date.now() - 20_000);
};

function eventsBody(): Buffer {
  const ereignisse: unknown[] = [];
  runsOf(RUNS_PER_REQUEST, (agent, begin) => {
    const run = randomUUID();
    for (let step = 0; step < CALLS_PER_RUN; step += 1)
      ereignisse.push(eventOf(makeCall(agent, begin + step * 4_000), run, step));
  });
  return Buffer.from(JSON.stringify({ ereignisse }));
}

/** A span about a call, with the words that instrumentations send along. */
function callSpan(tracer: Tracer, call: MadeCall, parent: Context): void {
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai',
    'gen_ai.request.model': 'gpt-4o-mini',
    'gen_ai.response.model': 'gpt-4o-mini',
    'gen_ai.response.id': `chatcmpl-${randomUUID()}`,
    'gen_ai.response.finish_reasons': ['stop'],
    'gen_ai.usage.input_tokens': call.input,
    'gen_ai.usage.output_tokens': call.output,
    'gen_ai.usage.cache_read.input_tokens': call.cached,
    'gen_ai.input.messages': JSON.stringify([
      { role: 'system', parts: [{ type: 'text', content: 'You answer in short sentences.' }] },
      { role: 'user', parts: [{ type: 'text', content: `${call.customer} ${PROMPT}` }] },
    ]),
    'gen_ai.output.messages': JSON.stringify([
      { role: 'assistant', parts: [{ type: 'text', content: ANSWER }] },
    ]),
    customer: call.customer,
  };
  const span = tracer.startSpan('chat gpt-4o-mini', { attributes, startTime: call.begin }, parent);
  span.end(call.begin + call.milliseconds);
}

/** What sends spans, and the spans of agents that are not over. */
class Spans {
  readonly #provider: BasicTracerProvider;
  readonly #tracer: Tracer;
  readonly #open: Span[] = [];

  constructor({ address, key }: BenchService) {
    const exporter = new OTLPTraceExporter({
      url: `${address}/v1/traces`,
      headers: { Authorization: `Bearer ${key}` },
    });
    const processor = new BatchSpanProcessor(exporter, {
      maxQueueSize: 100_000,
      maxExportBatchSize: CALLS_PER_REQUEST + RUNS_PER_REQUEST,
      scheduledDelayMillis: 600_000,
    });
    this.#provider = new BasicTracerProvider({ spanProcessors: [processor] });
    this.#tracer = this.#provider.getTracer('bench', '1.0.0');
  }

  /** Makes `runs` of `calls` each; their agents' spans end now, or stay open. */
  make(runs: number, calls: number, ends: boolean): void {
    runsOf(runs, (agent, begin) => {
      const attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': agent };
      const root = this.#tracer.startSpan(
        `invoke_agent ${agent}`,
        { attributes, startTime: begin },
        ROOT_CONTEXT,
      );
      const parent = trace.setSpan(ROOT_CONTEXT, root);
      for (let step = 0; step < calls; step += 1)
        callSpan(this.#tracer, makeCall(agent, begin + step * 4_000), parent);
      if (ends) root.end();
      else this.#open.push(root);
    });
  }

  /** Ends the spans that stay open, and sends them, a request at a time. */
  async endAll(): Promise<void> {
    while (this.#open.length > 0) {
      for (const span of this.#open.splice(0, CALLS_PER_REQUEST)) span.end();
      await this.send();
    }
  }

  send(): Promise<void> {
    return this.#provider.forceFlush();
  }

  stop(): Promise<void> {
    return this.#provider.shutdown();
  }
}

/** Sends requests at the pace for `seconds`; resolves with the number of calls. */
async function atPace(seconds: number, send: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  let calls = 0;
  while (performance.now() - start < seconds * 1_000) {
    await send();
    calls += CALLS_PER_REQUEST;
    await delay(Math.max(0, (calls / CALLS_PER_SECOND) * 1_000 - (performance.now() - start)));
  }
  return calls;
}

/** Resident memory while something goes on: at most, in MiB. */
async function mostMemory(service: BenchService, work: Promise<unknown>): Promise<number> {
  let most = service.rss();
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  over.catch(() => undefined);
  for (; !isOver; await delay(100)) most = Math.max(most, service.rss());
  await over;
  return most;
}

/** Sends a call of each of ten thousand traces, waits until all are counted, then sends what stands around them. */
async function holdOpen(service: BenchService, spans: Spans, counted: number): Promise<void> {
  for (let made = 0; made < OPEN_TRACES; made += CALLS_PER_REQUEST) {
    spans.make(CALLS_PER_REQUEST, 1, false);
    await spans.send();
  }
  await waitUntilCounted(service, counted, SELDOM);
  await spans.endAll();
}

/** Windows of `seconds` each. */
export async function measureOtlp(seconds: number) {
  const service = await startBenchService();
  try {
    const sender = new Sender(service.address);
    const spans = new Spans(service);
    const sendEvents = async () => {
      const head = `authorization: Bearer ${service.key}\r\ncontent-type: application/json\r\n`;
      const { status } = await sender.post(head, eventsBody());
      if (status !== 202) throw new Error(`events: ${status}`);
    };
    const sendSpans = () => {
      spans.make(RUNS_PER_REQUEST, CALLS_PER_RUN, true);
      return spans.send();
    };
    let counted = 0;
    const cpuOf = async (send: () => Promise<void>, during: number): Promise<number> => {
      const before = service.cpu();
      const calls = await atPace(during, send);
      counted += calls;
      await waitUntilCounted(service, counted, SELDOM);
      return ((service.cpu() - before) * 1e6) / calls;
    };
    for (const send of [sendEvents, sendSpans]) await cpuOf(send, 3);
    const cpu: { events: number[]; spans: number[] } = { events: [], spans: [] };
    for (let pair = 0; pair < PAIRS; pair += 1) {
      cpu.events.push(round(await cpuOf(sendEvents, seconds)));
      cpu.spans.push(round(await cpuOf(sendSpans, seconds)));
    }
    const memory = [service.rss()];
    for (let turn = 0; turn < PAIRS; turn += 1) {
      counted += OPEN_TRACES;
      memory.push(await mostMemory(service, holdOpen(service, spans, counted)));
    }
    sender.end();
    await spans.stop();
    return {
      cpu_us_per_call: cpu,
      /** The first is idle, then with ten thousand open traces, again and again. */
      rss_mib_with_open_traces: memory,
      ratio: round(median(cpu.spans) / median(cpu.events)),
    };
  } finally {
    await service.stop();
  }
}
