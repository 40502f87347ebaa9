import OpenAI from 'openai';

const openai = new OpenAI();

const tools = [
  {
    type: 'function',
    name: 'search',
    description: 'Looks something up.',
    parameters: { type: 'object', properties: { query: { type: 'string' } } },
  },
];
const input = [{ role: 'user', content: 'At what temperature does water boil?' }];
for (;;) {
  const response = await openai.responses.create({ model: 'gpt-5-mini', input, tools });
  const calls = response.output.filter(({ type }) => type === 'function_call');
  if (calls.length === 0) {
    console.log(response.output_text);
    break;
  }
  input.push(...response.output);
  for (const { call_id } of calls)
    input.push({ type: 'function_call_output', call_id, output: 'Nothing was found.' });
}
