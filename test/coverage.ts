/** The coverage table of `acceptance/README.md`: which spec says it uses which operation. */
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const SPECS = join(import.meta.dirname, '../acceptance');
const README = join(SPECS, 'README.md');

export interface Row {
  operation: string;
  /** File names; none where the row names them in words. */
  specs: string[];
  text: string;
}

export function coverageTable(): Row[] {
  const readme = readFileSync(README, 'utf8');
  const rows = readme.slice(readme.indexOf('## Coverage')).matchAll(/^\| `([^`]+)`\s*\|(.*)\|$/gm);
  return [...rows].map(([, operation = '', text = '']) => ({
    operation,
    specs: [...text.matchAll(/`([\w.-]+\.test\.ts)`/g)].map((match) => match[1] as string),
    text: text.trim(),
  }));
}

/** The operations the table claims for the spec, by its path, and that are not among those it had answered. */
export function unprovenClaims(path: string, answered: ReadonlySet<string>): string[] {
  if (dirname(path) !== SPECS) return [];
  return coverageTable()
    .filter(({ operation, specs }) => specs.includes(basename(path)) && !answered.has(operation))
    .map(({ operation }) => operation);
}
