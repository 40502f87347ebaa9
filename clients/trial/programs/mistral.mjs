import { Mistral } from '@mistralai/mistralai';

const mistral = new Mistral({ apiKey: process.env.MISTRAL_API_KEY, serverURL: process.env.MISTRAL_URL });

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
  const response = await mistral.chat.complete({ model: 'mistral-small-latest', messages, tools });
  const { message } = response.choices[0];
  const calls = message.toolCalls ?? [];
  if (calls.length === 0) {
    console.log(message.content);
    break;
  }
  messages.push(message);
  for (const { id } of calls)
    messages.push({ role: 'tool', name: 'search', toolCallId: id, content: 'Nothing was found.' });
}
