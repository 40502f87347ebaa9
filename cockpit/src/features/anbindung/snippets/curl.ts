import { jsonLines, type Snippet } from '../snippet.ts';

export const snippet: Snippet = {
  place: 1,
  label: 'curl',
  // One run, one id for all of its calls; each call an id of its own, by which it is counted once.
  send: ({ send, key }) => `new_id() { uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid; }
LAUF=$(new_id)
curl -X POST '${send}' \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"ereignisse": [{
    "ereignis_id": "'$(new_id)'",
    "lauf_id": "'$LAUF'",
${jsonLines('    ')}
  }]}'`,
  query: ({ query, key }) => `curl '${query}' \\
  -H 'Authorization: Bearer ${key}'`,
};
