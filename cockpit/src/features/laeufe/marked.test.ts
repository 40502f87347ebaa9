import { describe, expect, it } from 'vitest';
import { markedBy, stepsOf } from './marked.ts';

describe('markedBy', () => {
  it('marks what a finding has named, and nothing else', () => {
    const schritte = [3, 4, 5, 9, 12, 13];
    const isMarked = markedBy(stepsOf('3-5,9,12-13'));
    const marked = Array.from({ length: 20 }, (_, number) => number).filter((number) => isMarked?.(number));
    expect(marked).toEqual(schritte);
  });

  it.each(['', '3-', 'a', '-1', '3-7;9', '1'.repeat(3_000)])('takes %j for nothing', (text) => {
    expect(stepsOf(text)).toBeUndefined();
  });

  it('marks a single step', () => {
    expect(markedBy(stepsOf(7))?.(7)).toBe(true);
  });
});
