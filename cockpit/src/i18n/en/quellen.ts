/** What told of calls, what they lack and what mends it. */
export const quellen = {
  title: 'Sources',
  about: 'What percentage of the latest calls names what',
  name: 'Library',
  others: 'Others together',
  ownEvents: 'Sent by yourself',
  more: 'What is missing and what helps',
  moreOf: '{{name}}: what is missing and what helps',
  subscription: '{{amount}} of it list price, subscription',
  short: {
    ohne_lauf: 'Run',
    ohne_agent: 'Agent',
    ohne_endkunde: 'Customer',
    ohne_cache: 'Cache',
    ohne_fingerabdruck: 'Fingerpr.',
  },
  gap: {
    ohne_token: 'without tokens: what they cost is unknown.',
    ohne_cache:
      'that do not say what came from the cache: all of the input is charged in full, possibly too much.',
    ohne_lauf: 'without a run: they are in no list of runs, and rules about runs do not see them.',
    ohne_agent: 'without an agent: all of them are “unbekannt” together.',
    ohne_endkunde: 'without an end customer: they are passed on to nobody.',
    ohne_fingerabdruck: 'without a fingerprint: no rule sees that they repeat.',
  },
  otlp: {
    ohne_token:
      'Remedy: ask for the counts of streams (stream_options: { include_usage: true }), or upgrade the library.',
    ohne_cache: 'Remedy: upgrade the library, or use the package.',
    ohne_lauf: 'Remedy: put a span around the work.',
    ohne_agent: 'Remedy: gen_ai.agent.name on the span, or OTEL_SERVICE_NAME.',
    ohne_endkunde: 'Remedy: customer on the span or in OTEL_RESOURCE_ATTRIBUTES.',
    ohne_fingerabdruck: 'Remedy: let the library send prompts; they are dropped, only the fingerprint stays.',
  },
  events: {
    ohne_token: 'Remedy: send eingabe_token and ausgabe_token.',
    ohne_cache: 'Remedy: send cache_lese_token.',
    ohne_lauf: 'Remedy: put zw.run({ agent }, …) around the work, or send lauf_id.',
    ohne_agent: 'Remedy: zw.run({ agent }, …), or send agent.',
    ohne_endkunde: 'Remedy: zw.run({ endkunde }, …), or send endkunde_ref.',
    ohne_fingerabdruck: 'Remedy: the package; without it, by docs/fingerprints.md.',
  },
  library: {
    openaiV2:
      'opentelemetry-instrumentation-openai-v2 never says what came from the cache, and sees no calls of the Responses API. Better: openinference-instrumentation-openai, or the package zaehlwerk.',
    openllmetryBedrock:
      'OpenLLMetry loses the cache of invoke-with-response-stream and the region of the model with Bedrock. Better: Converse, or the package zaehlwerk.',
    openllmetryAnthropic:
      'OpenLLMetry counts two output tokens too many of Anthropic’s streams. The spans that Anthropic’s library sends by itself are exact and go first: anthropic from 2.14 (Python), @anthropic-ai/sdk from 1.14.',
    openllmetry:
      'OpenLLMetry does not say the reasoning tokens of streams, and no counts of them without stream_options: { include_usage: true }.',
    llamaIndex:
      'LlamaIndex does not ask for the counts of streams: additional_kwargs={"stream_options": {"include_usage": True}} on the model.',
    openaiAgents:
      'OpenInference says neither cache nor reasoning of Chat Completions with the OpenAI Agents SDK. With the Responses API both are right.',
    openinference:
      'OpenInference for JavaScript says no counts of streams and embeddings; the ones for Python are exact.',
    openaiAgentsOwn:
      'The Agents SDK’s own traces do not name the model of calls by the Responses API: these have no price. Better: openinference-instrumentation-openai-agents.',
    openlit:
      'OpenLIT guesses where streams have no counts, and does not say so: set stream_options: { include_usage: true }. Reasoning of Chat Completions is missing.',
    aiSdk:
      'AI SDK 4 loses the counts of streams and Gemini’s reasoning, 5 the cache of OpenAI without a stream. From 6 on it is exact.',
    litellm:
      'LiteLLM loses calls where a program passes the same metadata object several times: a new one for each call.',
    claudeCode: 'Claude Code does not say what is kept in the cache for an hour; else it is exact.',
    strands: 'Strands says neither reasoning tokens nor what is kept in the cache for an hour.',
  },
} as const;
