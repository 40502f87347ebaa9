import { expect, test } from 'vitest';
import { AppError } from '#kernel/errors.ts';
import { createPlaces } from './archive-room.ts';

test('places are taken by one each, and given back', () => {
  const take = createPlaces<string>(2);
  const refusal = (mandant: string) => {
    try {
      take(mandant);
    } catch (error) {
      return error;
    }
    return null;
  };
  const leave = take('a');
  expect(refusal('a')).toMatchObject({
    kind: 'too-many',
    code: 'export_laeuft',
    retryAfter: 30,
  });
  take('b');
  expect(refusal('c')).toBeInstanceOf(AppError);
  leave();
  expect(refusal('b')).not.toBeNull();
  expect(refusal('a')).toBeNull();
  leave();
  expect(refusal('a')).not.toBeNull();
});
