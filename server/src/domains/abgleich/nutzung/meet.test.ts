import fc from 'fast-check';
import { expect, test } from 'vitest';
import { meet } from './meet.ts';

const met = (file: string[], counted: string[]) => [...meet(new Set(file), new Set(counted))];

test.each<[string, string[], string[], [string, string][]]>([
  ['dated in the file', ['gpt-4o-2024-08-06'], ['gpt-4o'], [['gpt-4o-2024-08-06', 'gpt-4o']]],
  [
    'dated where counted',
    ['claude-sonnet-4'],
    ['claude-sonnet-4-20250514'],
    [['claude-sonnet-4', 'claude-sonnet-4-20250514']],
  ],
  ['the same name', ['gpt-4o'], ['gpt-4o'], []],
  ['another model', ['gpt-4o-mini-2024-07-18'], ['gpt-4o'], []],
  ['two dates are two models', ['gpt-4o-2024-08-06'], ['gpt-4o-2024-11-20'], []],
  ['two that could be meant', ['gpt-4o'], ['gpt-4o-2024-08-06', 'gpt-4o-2024-11-20'], []],
  ['two that could mean it', ['gpt-4o-2024-08-06', 'gpt-4o-2024-11-20'], ['gpt-4o'], []],
  [
    'one of two has its own',
    ['gpt-4o-2024-08-06', 'gpt-4o-2024-11-20'],
    ['gpt-4o', 'gpt-4o-2024-11-20'],
    [['gpt-4o-2024-08-06', 'gpt-4o']],
  ],
  ['the undated one has its own', ['gpt-4o', 'gpt-4o-2024-08-06'], ['gpt-4o'], []],
  ['no date', ['gpt-4-0613', 'o3-2025-13-01', 'o3-2025-0416'], ['gpt-4', 'o3'], []],
])('%s', (_, file, counted, expected) => {
  expect(met(file, counted)).toEqual(expected);
});

test('each name meets at most one, whichever side it is on, and only what differs by a date', () => {
  const name = fc
    .tuple(
      fc.constantFrom('gpt-4o', 'o3', 'claude-opus-4'),
      fc.constantFrom('', '-2024-08-06', '-20250514', '-1'),
    )
    .map((parts) => parts.join(''));
  const names = fc.uniqueArray(name);
  fc.assert(
    fc.property(names, names, (file, counted) => {
      const pairs = met(file, counted);
      expect(new Set(pairs.map(([, as]) => as)).size).toBe(pairs.length);
      for (const [of, as] of pairs) {
        expect(counted).not.toContain(of);
        expect(file).not.toContain(as);
        const [short, long] = of.length < as.length ? [of, as] : [as, of];
        expect(long.slice(short.length)).toMatch(/^-2024-08-06$|^-20250514$/);
        expect(long.startsWith(short)).toBe(true);
      }
      // The other way round they are the same pairs.
      expect(met(counted, file).map(([of, as]) => [as, of])).toEqual(expect.arrayContaining(pairs));
    }),
  );
});
