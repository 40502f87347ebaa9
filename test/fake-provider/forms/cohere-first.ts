import { at, type Form, inputOf, list, outputOf, type Plan, textOf, texts } from '../form.ts';
import { cohere } from './cohere.ts';

const metaOf = ({ usage }: Plan) => ({
  api_version: { version: '1' },
  billed_units: { input_tokens: inputOf(usage), output_tokens: outputOf(usage) },
  tokens: { input_tokens: inputOf(usage) + 60, output_tokens: outputOf(usage) },
});

const callsOf = ({ tool }: Plan) => (tool ? [{ name: tool.name, parameters: tool.input }] : []);

const answerOf = (plan: Plan) => ({
  response_id: plan.id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  generation_id: plan.id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  text: plan.tool ? 'I ask the tool.' : textOf(plan),
  finish_reason: 'COMPLETE',
  ...(plan.tool ? { tool_calls: callsOf(plan) } : {}),
  meta: metaOf(plan),
});

function* events(plan: Plan): Generator<object> {
  const { generation_id } = answerOf(plan);
  yield { is_finished: false, event_type: 'stream-start', generation_id };
  if (plan.tool) yield { is_finished: false, event_type: 'tool-calls-generation', tool_calls: callsOf(plan) };
  else for (const text of plan.pieces) yield { is_finished: false, event_type: 'text-generation', text };
  yield {
    is_finished: true,
    event_type: 'stream-end',
    finish_reason: 'COMPLETE',
    response: answerOf(plan),
  };
}

/** Cohere's chat, first version: lines of JSON. */
export const cohereFirst: Form = {
  ...cohere,
  name: 'cohere-first',
  matches: (path) => /\/v1\/chat$/.test(path),
  read: (path, body) => ({
    path,
    body,
    model: String(body.model),
    stream: body.stream === true,
    tools: texts(list(body.tools).map((tool) => at(tool, 'name'))),
    hasToolResult: list(body.tool_results).length > 0,
  }),
  answerId: (plan) => answerOf(plan).generation_id,
  json: answerOf,
  streamType: 'application/stream+json',
  *frames(plan) {
    for (const event of events(plan)) yield `${JSON.stringify(event)}\n`;
  },
  errorFrame: (message) =>
    `${JSON.stringify({ is_finished: true, event_type: 'stream-end', finish_reason: 'ERROR', response: { text: message } })}\n`,
};
