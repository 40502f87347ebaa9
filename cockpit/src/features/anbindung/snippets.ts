/** Ready-made calls in the languages people start with: one event, the real address, the real key. */

export const placeholder = 'zw_live_…';

const example = {
  agent: 'angebots-agent',
  anbieter: 'openai',
  modell: 'gpt-4o-mini',
  eingabe_token: 1200,
  ausgabe_token: 300,
  latenz_ms: 840,
  endkunde_ref: 'kunde-a',
};

const fields = Object.entries(example);

/** Two fields to a line: short enough not to wrap, few enough lines to take in. */
function jsonLines(): string {
  const pairs = fields.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const lines = pairs.flatMap((pair, index) => (index % 2 === 0 ? [[pair, pairs[index + 1]]] : []));
  return lines.map((line) => `    ${line.filter(Boolean).join(', ')}`).join(',\n');
}

function curl(address: string, key: string): string {
  return `curl -X POST '${address}' \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"ereignisse": [{
${jsonLines()}
  }]}'`;
}

function typescript(address: string, key: string): string {
  const lines = fields.map(
    ([name, value]) => `        ${name}: ${typeof value === 'string' ? `'${value}'` : value},`,
  );
  return `await fetch('${address}', {
  method: 'POST',
  headers: {
    Authorization: 'Bearer ${key}',
    'Content-Type': 'application/json',
  },
  body: JSON.stringify({
    ereignisse: [
      {
${lines.join('\n')}
      },
    ],
  }),
});`;
}

function python(address: string, key: string): string {
  const lines = fields.map(([name, value]) => `        ${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  return `import requests

requests.post(
    ${JSON.stringify(address)},
    headers={"Authorization": "Bearer ${key}"},
    json={"ereignisse": [{
${lines.join('\n')}
    }]},
    timeout=10,
).raise_for_status()`;
}

/** The same call three times; `address` is the full URL of the ingest operation. */
export function snippetsFor(address: string, key: string) {
  return [
    { value: 'curl', label: 'curl', code: curl(address, key) },
    { value: 'typescript', label: 'TypeScript', code: typescript(address, key) },
    { value: 'python', label: 'Python', code: python(address, key) },
  ];
}
