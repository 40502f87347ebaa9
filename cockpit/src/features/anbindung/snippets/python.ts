import { fields, type Snippet } from '../snippet.ts';

const lines = fields.map(({ name, value }) => `        "${name}": ${value},`).join('\n');

export const snippet: Snippet = {
  place: 3,
  label: 'Python',
  send: ({ send, key }) => `import json
import uuid
from urllib.request import Request, urlopen

run = str(uuid.uuid4())

request = Request(
    "${send}",
    headers={
        "Authorization": "Bearer ${key}",
        "Content-Type": "application/json",
    },
    data=json.dumps({"ereignisse": [{
        "ereignis_id": str(uuid.uuid4()),
        "lauf_id": run,
${lines}
    }]}).encode(),
)
with urlopen(request, timeout=10) as answer:
    print(answer.status, answer.read().decode())`,
  query: ({ query, key }) => `from urllib.request import Request, urlopen

request = Request(
    "${query}",
    headers={"Authorization": "Bearer ${key}"},
)
with urlopen(request, timeout=10) as answer:
    print(answer.status, answer.read().decode())`,
};
