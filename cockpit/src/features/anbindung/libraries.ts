/** What libraries lose, by the names they go by (`docs/otlp.md` has the whole table): of each there is a text `quellen.library.<name>`. */

const LIBRARIES = [
  [/openai_v2$/, 'openaiV2'],
  [/^opentelemetry\.instrumentation\.bedrock/, 'openllmetryBedrock'],
  [/^opentelemetry\.instrumentation\.anthropic/, 'openllmetryAnthropic'],
  [/^(opentelemetry\.instrumentation\.|@traceloop\/)/, 'openllmetry'],
  [/^openinference\.instrumentation\.llama_index/, 'llamaIndex'],
  [/^openinference\.instrumentation\.openai_agents/, 'openaiAgents'],
  [/^(openinference\.instrumentation\.|@arizeai\/)/, 'openinference'],
  [/^openai-agents$/, 'openaiAgentsOwn'],
  [/^openlit/, 'openlit'],
  [/^ai$/, 'aiSdk'],
  [/^litellm/, 'litellm'],
  [/^com\.anthropic\.claude_code/, 'claudeCode'],
  [/^strands/, 'strands'],
] as const;

export type LibraryName = (typeof LIBRARIES)[number][1];

/** The library of this scope, where something is known that it loses. */
export const libraryOf = (scope: string): LibraryName | null =>
  LIBRARIES.find(([pattern]) => pattern.test(scope))?.[1] ?? null;
