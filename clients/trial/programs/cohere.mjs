import { CohereClientV2 } from 'cohere-ai';

const cohere = new CohereClientV2({ environment: process.env.CO_API_URL });

const tools = [
  {
    type: 'function',
    function: {
      name: 'search',
      description: 'Looks something up.',
      parameters: { type: 'object', properties: { query: { type: 'string' } } },
    },
  },
];
const messages = [{ role: 'user', content: 'At what temperature does water boil?' }];
for (;;) {
  const { message } = await cohere.chat({ model: 'command-a-03-2025', messages, tools });
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) {
    console.log(message.content[0].text);
    break;
  }
  messages.push({ role: 'assistant', toolCalls: calls });
  for (const { id } of calls) messages.push({ role: 'tool', toolCallId: id, content: 'Nothing was found.' });
}
