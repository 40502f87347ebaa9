/** Writes method and path of every operation of the contract where the cockpit finds them: `npm run routes`. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { everyOperation } from '#contracts';

export const ROUTES_FILE = join(import.meta.dirname, 'src/api/routes.ts');

const HEAD = `/** Method and path of every operation. Made from the contract by \`npm run routes\`; do not edit. */
export const routes = {
`;

/** The text of the file. */
export function renderRoutes(): string {
  const rows = Object.entries(everyOperation)
    .map(([name, { method, path }]) => `  ${name}: ['${method}', '${path}'],\n`)
    .sort();
  return `${HEAD}${rows.join('')}} as const;\n`;
}

if (import.meta.main) writeFileSync(ROUTES_FILE, renderRoutes());
