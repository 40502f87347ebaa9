import { describe, expect, it } from 'vitest';
import { parseLoginSearch } from './search.ts';

describe('parseLoginSearch', () => {
  it('keeps a path of this site', () => {
    expect(parseLoginSearch({ ziel: '/laeufe?limit=100' })).toEqual({ ziel: '/laeufe?limit=100' });
  });

  it.each(['https://example.org/', '//example.org', '/\\example.org', 'laeufe', '', 7, undefined])(
    'leaves out %s',
    (ziel) => {
      expect(parseLoginSearch({ ziel })).toEqual({});
    },
  );
});
