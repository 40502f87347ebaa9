import { openai } from '@ai-sdk/openai';
import { generateText, jsonSchema, stepCountIs, tool } from 'ai';

const model = openai('gpt-5-mini');

const search = tool({
  description: 'Looks something up.',
  inputSchema: jsonSchema({ type: 'object', properties: { query: { type: 'string' } } }),
  execute: async () => 'Nothing was found.',
});
const { text } = await generateText({
  model,
  prompt: 'At what temperature does water boil?',
  tools: { search },
  stopWhen: stepCountIs(40),
});
console.log(text);
