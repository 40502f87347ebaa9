/** What told of calls, what they lack and what mends it. */
export const quellen = {
  title: 'Quellen',
  about: 'Wie viel Prozent der letzten Aufrufe was nennen',
  name: 'Bibliothek',
  others: 'Weitere zusammen',
  ownEvents: 'Selbst gemeldet',
  more: 'Was fehlt und was hilft',
  moreOf: '{{name}}: was fehlt und was hilft',
  subscription: 'davon {{amount}} Listenpreis, Abonnement',
  short: {
    ohne_lauf: 'Lauf',
    ohne_agent: 'Agent',
    ohne_endkunde: 'Endkunde',
    ohne_cache: 'Cache',
    ohne_fingerabdruck: 'Fingerabdr.',
  },
  gap: {
    ohne_token: 'ohne Token: Was sie gekostet haben, ist unbekannt.',
    ohne_cache:
      'ohne Angabe, was aus dem Cache kam: Die ganze Eingabe wird zum vollen Preis gerechnet, also womöglich zu teuer.',
    ohne_lauf: 'ohne Lauf: Sie stehen in keiner Liste der Läufe, und Regeln über Läufe sehen sie nicht.',
    ohne_agent: 'ohne Agenten: Alle zusammen stehen unter „unbekannt“.',
    ohne_endkunde: 'ohne Endkunden: Sie werden niemandem weiterbelastet.',
    ohne_fingerabdruck: 'ohne Fingerabdruck: Keine Regel sieht, dass sie sich wiederholen.',
  },
  otlp: {
    ohne_token:
      'Abhilfe: bei Streams die Mengen anfordern (stream_options: { include_usage: true }), oder die Bibliothek erneuern.',
    ohne_cache: 'Abhilfe: die Bibliothek erneuern, oder das Paket nehmen.',
    ohne_lauf: 'Abhilfe: einen Span um die Arbeit legen.',
    ohne_agent: 'Abhilfe: gen_ai.agent.name am Span, oder OTEL_SERVICE_NAME.',
    ohne_endkunde: 'Abhilfe: customer am Span oder in OTEL_RESOURCE_ATTRIBUTES.',
    ohne_fingerabdruck:
      'Abhilfe: die Bibliothek Eingaben mitsenden lassen; sie werden verworfen, nur der Fingerabdruck bleibt.',
  },
  events: {
    ohne_token: 'Abhilfe: eingabe_token und ausgabe_token mitsenden.',
    ohne_cache: 'Abhilfe: cache_lese_token mitsenden.',
    ohne_lauf: 'Abhilfe: zw.run({ agent }, …) um die Arbeit legen, oder lauf_id mitsenden.',
    ohne_agent: 'Abhilfe: zw.run({ agent }, …), oder agent mitsenden.',
    ohne_endkunde: 'Abhilfe: zw.run({ endkunde }, …), oder endkunde_ref mitsenden.',
    ohne_fingerabdruck: 'Abhilfe: das Paket; ohne Paket nach docs/fingerprints.md berechnen.',
  },
  library: {
    openaiV2:
      'opentelemetry-instrumentation-openai-v2 nennt nie, was aus dem Cache kam, und sieht keine Aufrufe der Responses-API. Besser: openinference-instrumentation-openai, oder das Paket zaehlwerk.',
    openllmetryBedrock:
      'OpenLLMetry verliert bei Bedrock den Cache von invoke-with-response-stream und die Region des Modells. Besser: Converse, oder das Paket zaehlwerk.',
    openllmetryAnthropic:
      'OpenLLMetry zählt bei Streams von Anthropic zwei Ausgabe-Token zu viel. Die Spans, die Anthropics Bibliothek von sich aus sendet, sind genau und gehen vor: anthropic ab 2.14 (Python), @anthropic-ai/sdk ab 1.14.',
    openllmetry:
      'OpenLLMetry nennt bei Streams keine Denk-Token und ohne stream_options: { include_usage: true } keine Mengen.',
    llamaIndex:
      'LlamaIndex fordert bei Streams keine Mengen an: additional_kwargs={"stream_options": {"include_usage": True}} am Modell.',
    openaiAgents:
      'OpenInference nennt beim OpenAI Agents SDK weder Cache noch Denk-Token von Chat Completions. Mit der Responses-API stimmt beides.',
    openinference:
      'OpenInference für JavaScript nennt bei Streams und Embeddings keine Mengen; die Fassungen für Python sind genau.',
    openaiAgentsOwn:
      'Die eigenen Traces des Agents SDK nennen bei der Responses-API kein Modell: Diese Aufrufe haben keinen Preis. Besser: openinference-instrumentation-openai-agents.',
    openlit:
      'OpenLIT rät bei Streams ohne Mengen und sagt es nicht: stream_options: { include_usage: true } setzen. Denk-Token von Chat Completions fehlen.',
    aiSdk:
      'AI SDK 4 verliert Mengen von Streams und die Denk-Token von Gemini, 5 den Cache von OpenAI ohne Stream. Ab 6 ist es genau.',
    litellm:
      'LiteLLM verliert Aufrufe, wenn ein Programm dasselbe metadata-Objekt mehrfach übergibt: je Aufruf ein neues.',
    claudeCode: 'Claude Code nennt nicht, was eine Stunde im Cache bleibt; sonst ist es genau.',
    strands: 'Strands nennt weder Denk-Token noch, was eine Stunde im Cache bleibt.',
  },
} as const;
