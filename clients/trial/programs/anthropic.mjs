import Anthropic from '@anthropic-ai/sdk';

const anthropic = new Anthropic();

const tools = [
  {
    name: 'search',
    description: 'Looks something up.',
    input_schema: { type: 'object', properties: { query: { type: 'string' } } },
  },
];
const messages = [{ role: 'user', content: 'At what temperature does water boil?' }];
for (;;) {
  const message = await anthropic.messages.create({
    model: 'claude-haiku-4-5',
    max_tokens: 500,
    messages,
    tools,
  });
  const calls = message.content.filter(({ type }) => type === 'tool_use');
  if (calls.length === 0) {
    console.log(message.content[0].text);
    break;
  }
  messages.push({ role: 'assistant', content: message.content });
  const content = calls.map(({ id }) => ({
    type: 'tool_result',
    tool_use_id: id,
    content: 'Nothing was found.',
  }));
  messages.push({ role: 'user', content });
}
