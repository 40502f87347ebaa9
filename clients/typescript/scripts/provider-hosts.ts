/** `npm run provider-hosts` writes the table of providers out of the installed price list. */
import { writeFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { type MatchLogic, waitForUpdate } from '@pydantic/genai-prices';

const FILE = fileURLToPath(new URL('../src/provider-hosts.ts', import.meta.url));

const HEAD = `/**
 * The providers that the price list knows: at which addresses they answer, and what else they are called. Made by
 * \`npm run provider-hosts\` from the list, which is too large for a package.
 */
`;

/** A clause about texts in lower case as the source of a regular expression. */
function sourceOf(clause: MatchLogic): string {
  const plain = (text: string) => text.toLowerCase().replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
  if ('or' in clause) return clause.or.map(sourceOf).join('|');
  if ('and' in clause) return `^${clause.and.map((each) => `(?=.*(?:${sourceOf(each)}))`).join('')}`;
  if ('equals' in clause) return `^${plain(clause.equals)}$`;
  if ('starts_with' in clause) return `^${plain(clause.starts_with)}`;
  if ('ends_with' in clause) return `${plain(clause.ends_with)}$`;
  return 'contains' in clause ? plain(clause.contains) : clause.regex;
}

/** The rows of the table as the installed list has them. */
export async function providersListed(): Promise<[id: string, address: RegExp, names?: RegExp][]> {
  const providers = (await waitForUpdate()) ?? [];
  return providers.map(({ id, api_pattern, provider_match }) => {
    const address = new RegExp(`^(?:${api_pattern})`);
    return provider_match === undefined ? [id, address] : [id, address, new RegExp(sourceOf(provider_match))];
  });
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const rows = (await providersListed()).map(
    ([id, ...patterns]) => `  [${[`'${id}'`, ...patterns].join(', ')}],\n`,
  );
  const type = 'readonly (readonly [id: string, address: RegExp, names?: RegExp])[]';
  writeFileSync(FILE, `${HEAD}export const PROVIDERS: ${type} = [\n${rows.join('')}];\n`);
}
