import { describe, expect, it } from 'vitest';
import { changedFields } from './changes.ts';

describe('changed fields', () => {
  it('are those that differ, on both sides', () => {
    expect(changedFields({ a: 1, b: null, c: 'x' }, { a: 1, b: 'neu', c: null })).toEqual({
      vorher: { b: null, c: 'x' },
      nachher: { b: 'neu', c: null },
    });
  });

  it('are none where lists and objects hold the same', () => {
    expect(changedFields({ a: ['x', { y: 1 }] }, { a: ['x', { y: 1 }] })).toBeNull();
  });
});
