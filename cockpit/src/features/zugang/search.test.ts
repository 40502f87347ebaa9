import { describe, expect, it } from 'vitest';
import { parseLoginSearch, toLoginSearch } from './search.ts';

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

describe('toLoginSearch', () => {
  it('keeps where one was, unless that is the overview', () => {
    expect(toLoginSearch('/laeufe?limit=100')).toEqual({ ziel: '/laeufe?limit=100' });
    expect(toLoginSearch('/')).toEqual({});
  });
});
