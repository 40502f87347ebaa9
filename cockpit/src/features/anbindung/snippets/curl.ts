import { jsonLines, type Snippet } from '../snippet.ts';

export const snippet: Snippet = {
  place: 1,
  label: 'curl',
  send: ({ send, key }) => `curl -X POST '${send}' \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"ereignisse": [{
${jsonLines('    ')}
  }]}'`,
  query: ({ query, key }) => `curl '${query}' \\
  -H 'Authorization: Bearer ${key}'`,
};
