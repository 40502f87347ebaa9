/** What a tab of the connection page is made of; each language is a file of its own in `snippets/`. */

export interface Addresses {
  /** Full address of the ingest operation. */
  send: string;
  /** Full address of the query. */
  query: string;
  /** The key in full, or what stands for it. */
  key: string;
}

export interface Snippet {
  /** Where the tab stands among the others. */
  place: number;
  label: string;
  /** A program that sends one call and prints the answer. */
  send(addresses: Addresses): string;
  /** One that asks what it cost and prints the answer. */
  query(addresses: Addresses): string;
}

/** Stands for the key while it is not known. */
export const placeholder = 'zw_live_…';

/** The call that all examples send. */
const example = {
  agent: 'angebots-agent',
  anbieter: 'openai',
  modell: 'gpt-4o-mini',
  eingabe_token: 1200,
  ausgabe_token: 300,
  latenz_ms: 840,
  endkunde_ref: 'kunde-a',
};

/** The fields of the call, each in its JSON form. */
export const fields = Object.entries(example).map(([name, value]) => ({
  name,
  value: JSON.stringify(value),
}));

/** The call as JSON, two fields to a line: short enough not to wrap, few enough lines to take in. */
export function jsonLines(indent: string): string {
  const pairs = fields.map(({ name, value }) => `"${name}": ${value}`);
  const lines = pairs.flatMap((pair, index) => (index % 2 === 0 ? [[pair, pairs[index + 1]]] : []));
  return lines.map((line) => indent + line.filter(Boolean).join(', ')).join(',\n');
}
