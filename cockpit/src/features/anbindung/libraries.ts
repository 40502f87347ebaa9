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

/** How they are called by people. What stands in brackets of the pattern is part of the name. */
const NAMES: [RegExp, string][] = [
  [/^com\.anthropic\.claude_code/, 'Claude Code'],
  [/^com\.anthropic\.sdk\.python$/, 'Anthropic SDK (Python)'],
  [/^com\.anthropic\.sdk\.typescript$/, 'Anthropic SDK (TypeScript)'],
  [/^codex/, 'Codex CLI'],
  [/^gemini-cli$/, 'Gemini CLI'],
  [/^(github[-.])?copilot/, 'Copilot CLI'],
  [/^gcp\.vertex\.agent$/, 'Google ADK'],
  [/^langfuse-sdk$/, 'Langfuse'],
  [/^langsmith$/, 'LangSmith'],
  [/^ai$/, 'AI SDK'],
  [/^openai-agents$/, 'OpenAI Agents SDK'],
  [/^strands\.telemetry/, 'Strands Agents'],
  [/^zaehlwerk-js$/, 'Zählwerk (TypeScript)'],
  [/^zaehlwerk-python$/, 'Zählwerk (Python)'],
  [/^opentelemetry\.instrumentation\.(.+)/, 'OpenTelemetry: $1'],
  [/^openinference\.instrumentation\.(.+)/, 'OpenInference: $1'],
  [/^openlit\.instrumentation\.(.+)/, 'OpenLIT: $1'],
];

/** How a scope is called; as it is where nobody knows it. */
export function nameOfLibrary(scope: string): string {
  const [pattern, name] = NAMES.find(([each]) => each.test(scope)) ?? [];
  if (!pattern || name === undefined) return scope;
  return name.replace('$1', pattern.exec(scope)?.[1] ?? '');
}
