import { fields, type Snippet } from '../snippet.ts';

const lines = fields.map(({ name, value }) => `        ${name}: ${value.replaceAll('"', "'")},`).join('\n');

export const snippet: Snippet = {
  place: 2,
  label: 'TypeScript',
  send: ({ send, key }) => `const laufId = crypto.randomUUID();
const answer = await fetch('${send}', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${key}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    ereignisse: [
      {
        ereignis_id: crypto.randomUUID(),
        lauf_id: laufId,
${lines}
      },
    ],
  }),
});
console.log(answer.status, await answer.text());`,
  query: ({ query, key }) => `const answer = await fetch('${query}', {
  headers: { Authorization: 'Bearer ${key}' },
});
console.log(answer.status, await answer.text());`,
};
