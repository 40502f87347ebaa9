import { describe, expect, it } from 'vitest';
import { changesOf } from './changes.ts';

describe('changesOf', () => {
  it('pairs what was with what is', () => {
    expect(changesOf({ vorher: { name: null }, nachher: { name: 'Neu' } })).toEqual([
      { field: 'name', before: null, after: 'Neu' },
    ]);
  });

  it('knows things that came and things that went', () => {
    expect(changesOf({ vorher: null, nachher: { tage: 90 } })).toEqual([
      { field: 'tage', before: undefined, after: 90 },
    ]);
    expect(changesOf({ vorher: { rolle: 'betrachter' }, nachher: null })).toEqual([
      { field: 'rolle', before: 'betrachter', after: undefined },
    ]);
    expect(changesOf({ vorher: null, nachher: null })).toEqual([]);
  });
});
