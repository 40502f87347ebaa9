import { expect, test } from 'vitest';
import { minutesOf } from './duration.ts';

test.each([
  ['1m', 1],
  ['15m', 15],
  ['24h', 1_440],
  ['7d', 10_080],
  ['366d', 527_040],
  ['527040m', 527_040],
])('%s is %d minutes', (duration, minutes) => expect(minutesOf(duration)).toBe(minutes));

test.each(['', '0m', '05m', '15', 'm', '1.5h', '-1h', '1 h', '15M', '2w', '367d', '527041m', '1h30m', 'tag'])(
  '%j is no duration',
  (text) => expect(minutesOf(text)).toBeNull(),
);
