import { describe, expect, it } from 'vitest';
import { concerns } from './concerns.ts';
import { readDuration } from './duration.ts';
import { untilOf } from './hand.ts';

const calls = { lauf: 'l1', agent: 'support/triage', projekt: 'support', endkunde: null };

describe('concerns', () => {
  it.each([
    ['mandant', '', true],
    ['agent', 'support/triage', true],
    ['agent', 'support', false],
    ['projekt', 'support', true],
    ['lauf', 'l1', true],
    ['lauf', 'l2', false],
    ['endkunde', '', false],
    ['modell', 'gpt-4o', false],
  ] as const)('%s %j: %j', (objekt_art, objekt, expected) => {
    expect(concerns({ objekt_art, objekt }, calls)).toBe(expected);
  });

  it('of an agent as a whole a stopped run says nothing', () => {
    expect(concerns({ objekt_art: 'lauf', objekt: 'l1' }, { agent: 'a', projekt: 'p' })).toBe(false);
  });
});

describe('readDuration', () => {
  it.each([
    ['15m', { count: 15, unit: 'm' }],
    ['7d', { count: 7, unit: 'd' }],
    ['tag', { word: 'tag' }],
    ['0m', null],
    ['15', null],
    ['15 m', null],
  ])('%j', (text, expected) => {
    expect(readDuration(text)).toEqual(expected);
  });
});

describe('untilOf', () => {
  it('counts from now, or has no end', () => {
    const now = new Date('2026-11-22T10:00:00Z');
    expect(untilOf('4h', now)).toBe('2026-11-22T14:00:00.000Z');
    expect(untilOf('open', now)).toBeNull();
  });
});
