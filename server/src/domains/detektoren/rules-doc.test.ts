import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { REGELTYP_NAMEN, REGELTYPEN, type Regeltyp } from '#contracts';
import { DETECTORS } from './detectors.ts';

const PLACES = { schritte: 'steps of a run', aufrufe: 'calls', summen: 'sums', budgets: 'budgets' };

/** Whether rules of the type are looked at as soon as something was counted. */
function isAtOnce(typ: Regeltyp): boolean {
  if (REGELTYPEN[typ].quelle === 'budgets') return true;
  const { trigger } = DETECTORS[typ as keyof typeof DETECTORS] as { trigger?: unknown };
  return Boolean(trigger);
}

test('docs/rules.md says of every type what it looks at, and how soon', () => {
  const [first = ''] = readFileSync(new URL('../../../../docs/rules.md', import.meta.url), 'utf8').split(
    '\n## ',
  );
  const rows = first
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.slice(2, -2).split(' | '));
  const said = Object.fromEntries(rows.map(([typ, ...rest]) => [typ?.replaceAll('`', ''), rest]));
  const expected = Object.fromEntries(
    REGELTYP_NAMEN.map((typ) => [typ, [PLACES[REGELTYPEN[typ].quelle], isAtOnce(typ) ? 'at once' : 'batch']]),
  );
  expect(said).toEqual(expected);
});
