import { expect, test } from 'vitest';
import { isOwnMachine } from './own-machine.ts';

test.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.9.8.7', '::1', '[::1]', '::ffff:127.0.0.1'])(
  '%s is the own machine',
  (name) => {
    expect(isOwnMachine(name)).toBe(true);
  },
);

test.each([
  '',
  '127.1',
  '0x7f.1',
  '2130706433',
  '0177.0.0.1',
  '127.0.0.1.example.org',
  'localhost.example',
  '10.0.0.5',
  '0.0.0.0',
  '::',
  '::ffff:10.0.0.5',
])('%s is not', (name) => {
  expect(isOwnMachine(name)).toBe(false);
});
