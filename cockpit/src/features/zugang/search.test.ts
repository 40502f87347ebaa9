import { describe, expect, it } from 'vitest';
import { parseLoginSearch, parseTokenSearch, toLoginSearch } from './search.ts';

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

  it('keeps why a login failed', () => {
    expect(parseLoginSearch({ fehler: 'sso_abgebrochen' })).toEqual({ fehler: 'sso_abgebrochen' });
    expect(parseLoginSearch({ fehler: '' })).toEqual({});
  });
});

describe('toLoginSearch', () => {
  it('keeps where one was, unless that is the overview', () => {
    expect(toLoginSearch('/laeufe?limit=100')).toEqual({ ziel: '/laeufe?limit=100' });
    expect(toLoginSearch('/')).toEqual({});
  });
});

describe('parseTokenSearch', () => {
  it('takes what came with the copied address off the token', () => {
    expect(parseTokenSearch({ token: ' abc\n' })).toEqual({ token: 'abc' });
    expect(parseTokenSearch({})).toEqual({ token: '' });
  });
});
