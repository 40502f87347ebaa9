import { GoogleGenAI } from '@google/genai';

const google = new GoogleGenAI({});

const tools = [
  {
    functionDeclarations: [
      {
        name: 'search',
        description: 'Looks something up.',
        parametersJsonSchema: { type: 'object', properties: { query: { type: 'string' } } },
      },
    ],
  },
];
const contents = [{ role: 'user', parts: [{ text: 'At what temperature does water boil?' }] }];
for (;;) {
  const response = await google.models.generateContent({
    model: 'gemini-2.5-flash',
    contents,
    config: { tools },
  });
  const calls = response.functionCalls ?? [];
  if (calls.length === 0) {
    console.log(response.text);
    break;
  }
  contents.push(response.candidates[0].content);
  const parts = calls.map(({ name }) => ({
    functionResponse: { name, response: { output: 'Nothing was found.' } },
  }));
  contents.push({ role: 'user', parts });
}
