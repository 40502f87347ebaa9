import { describe, expect, it } from 'vitest';
import { addressOf, isSame, placeOf, shownAt } from './search.ts';

describe('what an address shows', () => {
  it.each([
    ['/', '', { pfad: '/', suche: '' }],
    ['/laeufe/', '?zeitraum=heute', { pfad: '/laeufe', suche: 'zeitraum=heute' }],
    ['/', '?zeitraum=heute&unlesbar=nach', { pfad: '/', suche: 'zeitraum=heute' }],
    [
      '/',
      '?endkunde=M%C3%B6ller+%26+S%C3%B6hne%3F%23',
      { pfad: '/', suche: 'endkunde=M%C3%B6ller+%26+S%C3%B6hne%3F%23' },
    ],
  ])('%s%s', (pathname, searchStr, shown) => {
    expect(shownAt({ pathname, searchStr })).toEqual(shown);
  });

  it('is the address again', () => {
    expect(addressOf({ pfad: '/laeufe', suche: 'a=1&b=2' })).toBe('/laeufe?a=1&b=2');
    expect(addressOf({ pfad: '/', suche: '' })).toBe('/');
  });
});

describe('two views show the same', () => {
  const same = (one: string, other: string) => isSame({ pfad: '/', suche: one }, { pfad: '/', suche: other });

  it('in whatever order and spelling they say it', () => {
    expect(same('a=1&b=x+y', 'b=x%20y&a=1')).toBe(true);
    expect(same('', '')).toBe(true);
  });

  it('unless a value or the page is another', () => {
    expect(same('a=1', 'a=2')).toBe(false);
    expect(same('a=1', 'a=1&b=2')).toBe(false);
    expect(same('a=1%26b%3D2', 'a=1&b=2')).toBe(false);
    expect(isSame({ pfad: '/', suche: '' }, { pfad: '/laeufe', suche: '' })).toBe(false);
  });
});

it('the place of a view is that of its first folder', () => {
  const places = [
    '/',
    '/agenten',
    '/agenten/1',
    '/aufschluesselung',
    '/laeufe',
    '/anbindung',
    '/constructor',
  ];
  expect(places.map((pfad) => placeOf({ pfad, suche: '' }))).toEqual([
    'overview',
    'agents',
    'agents',
    'breakdown',
    'runs',
    undefined,
    undefined,
  ]);
});
