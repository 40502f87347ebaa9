import { expect, test } from 'vitest';
import { runIdOf } from './run-id.ts';

test.each([
  ['a UUID is itself', 'AE4E8074-6886-4e30-b3cd-1765a41ba9d4', 'ae4e8074-6886-4e30-b3cd-1765a41ba9d4'],
  [
    'a trace id is a UUID without its hyphens',
    '0AF7651916cd43dd8448eb211c80319c',
    '0af76519-16cd-43dd-8448-eb211c80319c',
  ],
  ['any other name gets one of its own', 'ses_6AbCdEf', '133e1a54-fd17-5b7f-be03-cdc6a2b9c1b7'],
])('%s', (_what, name, id) => {
  expect(runIdOf(name)).toBe(id);
});

test('names that differ in case are different ones', () => {
  expect(runIdOf('ses_6AbCdEf')).not.toBe(runIdOf('ses_6abcdef'));
});
