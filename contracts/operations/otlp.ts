/** The doors for programs that emit OpenTelemetry, and for those of other vendors that emit something like it. */
import { component, field, operation, record, Type, text } from '../kit/index.ts';

/** A larger body, before or after decompression, is refused with 413. */
export const MAX_OTLP_BYTES = 10 * 1024 * 1024;

const parts = (what: string) => Type.Optional(field(Type.Array(record()), `${what}, as OTLP has them.`));

const Spuren = component(
  'OtlpSpuren',
  'The request `ExportTraceServiceRequest`, in Protocol Buffers or JSON.',
  {
    resourceSpans: parts('Spans'),
  },
);
const Protokolle = component(
  'OtlpProtokolle',
  'The request `ExportLogsServiceRequest`, in Protocol Buffers or JSON.',
  {
    resourceLogs: parts('Log records'),
  },
);
const Messwerte = component(
  'OtlpMesswerte',
  'The request `ExportMetricsServiceRequest`, in Protocol Buffers or JSON.',
  {
    resourceMetrics: parts('Metrics'),
  },
);
const AgentsSpuren = component('OpenaiAgentsSpuren', 'Traces as the Agents SDK of OpenAI sends them.', {
  data: Type.Optional(field(Type.Array(record()), 'Traces and spans.')),
});

const Antwort = component(
  'OtlpAntwort',
  'Empty where everything was taken; of a request in Protocol Buffers the answer is in Protocol Buffers.',
  {
    partialSuccess: Type.Optional(
      field(
        component('OtlpTeilerfolg', 'What was refused; everything else was taken.', {
          rejectedSpans: Type.Optional(field(text(), 'How many spans, as text.', '1')),
          rejectedLogRecords: Type.Optional(field(text(), 'How many log records, as text.', '1')),
          errorMessage: field(text(), 'Why.'),
        }),
        'Left out where everything was taken.',
      ),
    ),
  },
);

const HOW =
  'Calls of models are counted, each once, whatever else tells of it; what is none is taken and left aside. 200 means that they are durable on disk; they are counted some seconds later, when what belongs together has come. Fingerprints are made of prompts, then prompts and answers are dropped before anything is stored. Bodies may be compressed (`gzip`, `deflate`, `br`) and hold 10 MiB, also after decompression. The key stands in `Authorization` (`Bearer`, or `Basic` as user or password), `X-SVC-Key` or `x-api-key`.';

const PROTOBUF = 'application/x-protobuf';

const access = { kind: 'key', scope: 'Senden', foreign: true } as const;
const media: string[] = ['application/json', PROTOBUF];
const common = { method: 'POST' as const, access, response: Antwort, media };

const TRACES = 'Nimmt Spans von OpenTelemetry an.';
const LOGS = 'Nimmt Protokollzeilen von OpenTelemetry an.';
const METRICS = 'Nimmt Messwerte von OpenTelemetry an und lässt sie liegen.';

export const otlpTraces = operation({
  ...common,
  id: 'otlp.spans',
  path: '/v1/otlp/v1/traces',
  summary: TRACES,
  description: `Accepts spans. ${HOW}`,
  body: Spuren,
});
export const otlpLogs = operation({
  ...common,
  id: 'otlp.protokolle',
  path: '/v1/otlp/v1/logs',
  summary: LOGS,
  description: `Accepts log records. ${HOW}`,
  body: Protokolle,
});
export const otlpMetrics = operation({
  ...common,
  id: 'otlp.messwerte',
  path: '/v1/otlp/v1/metrics',
  summary: METRICS,
  description:
    'Accepts metrics, and makes no calls of them: senders of metrics tell of the same calls in spans or log records.',
  body: Messwerte,
});
export const otlpTracesShort = operation({
  ...common,
  id: 'otlp.spans_kurz',
  path: '/v1/traces',
  summary: TRACES,
  description:
    'The same as `/v1/otlp/v1/traces`, for programs whose `OTEL_EXPORTER_OTLP_ENDPOINT` is the bare address.',
  body: Spuren,
});
export const otlpLogsShort = operation({
  ...common,
  id: 'otlp.protokolle_kurz',
  path: '/v1/logs',
  summary: LOGS,
  description: 'The same as `/v1/otlp/v1/logs`.',
  body: Protokolle,
});
export const otlpMetricsShort = operation({
  ...common,
  id: 'otlp.messwerte_kurz',
  path: '/v1/metrics',
  summary: METRICS,
  description: 'The same as `/v1/otlp/v1/metrics`.',
  body: Messwerte,
});
export const otlpLangfuse = operation({
  ...common,
  id: 'otlp.langfuse',
  path: '/api/public/otel/v1/traces',
  summary: 'Nimmt Spans der Bibliotheken von Langfuse an.',
  description: `Where the libraries of Langfuse send to when \`LANGFUSE_HOST\` is the address of the service: one of their two keys is the key. ${HOW}`,
  body: Spuren,
});
export const otlpLangsmith = operation({
  ...common,
  id: 'otlp.langsmith',
  path: '/otel/v1/traces',
  summary: 'Nimmt Spans der Bibliotheken von LangSmith an.',
  description: `Where the libraries of LangSmith send to when \`LANGSMITH_ENDPOINT\` is the address of the service. ${HOW}`,
  body: Spuren,
});
export const otlpLangsmithInfo = operation({
  id: 'otlp.langsmith_info',
  method: 'GET',
  path: '/info',
  summary: 'Was die Bibliotheken von LangSmith vorab fragen.',
  description: 'What the libraries of LangSmith ask before they send: nothing is said that they need.',
  access: { kind: 'public' },
  response: component('LangsmithInfo', 'Nothing in particular.', {
    version: field(text(), 'A version of an interface.', '0'),
  }),
});
export const otlpOpenaiAgents = operation({
  ...common,
  id: 'otlp.openai_agents',
  path: '/v1/traces/ingest',
  summary: 'Nimmt Spuren des Agents SDK von OpenAI an.',
  description: `What the Agents SDK of OpenAI exports by itself, with the endpoint \`…/v1/traces/ingest\`. ${HOW}`,
  body: AgentsSpuren,
});
