import { beforeEach, describe, expect, test } from 'vitest';
import {
  filterOf,
  filterSearch,
  keepView,
  parseViewSearch,
  rememberView,
  unreadable,
  type ViewSearch,
} from './view.ts';

describe('the view in an address', () => {
  test('is read as far as it can be understood, and says what was not', () => {
    expect(parseViewSearch({ zeitraum: '30tage', endkunde: 'Müller & Söhne', x: 1 })).toMatchObject({
      zeitraum: '30tage',
      endkunde: 'Müller & Söhne',
      unlesbar: undefined,
    });
    const nonsense = parseViewSearch({ zeitraum: 'quatsch', vergleich: 'an' });
    expect(nonsense).toMatchObject({ zeitraum: undefined, vergleich: undefined, unlesbar: 'zeitraum' });
    expect('zeitraum' in nonsense).toBe(true);
    // Its own result says the same.
    expect(parseViewSearch({ unlesbar: 'zeitraum' }).unlesbar).toBe('zeitraum');
    expect(parseViewSearch({ vergleich: 'aus', modell: '' })).toMatchObject({ vergleich: 'aus', modell: '' });
    expect(filterOf(parseViewSearch({ modell: 'm', agent: 'a' }))).toEqual({
      dimension: 'agent',
      value: 'a',
    });
  });

  test('says what of it means nothing', () => {
    expect(unreadable({ zeitraum: 'quatsch' })).toEqual(['zeitraum']);
    expect(unreadable({ zeitraum: '2026-02-01..2026-02-30' })).toEqual(['zeitraum']);
    expect(unreadable({ modell: 'm', agent: 'a', zeitraum: 'heute' })).toEqual(['modell']);
    expect(unreadable({ agent: '' })).toEqual([]);
  });

  test('has one filter at most', () => {
    expect(filterOf({})).toBeNull();
    expect(filterOf({ funktion: '' })).toEqual({ dimension: 'funktion', value: '' });
    const search = filterSearch({ dimension: 'modell', value: 'gpt-4o' });
    expect(search).toMatchObject({ modell: 'gpt-4o', agent: undefined });
    expect('agent' in search).toBe(true);
    expect(filterOf(filterSearch(null))).toBeNull();
  });
});

describe('from page to page', () => {
  beforeEach(() => rememberView({}, '/laeufe')());
  const to = (path: string, search: ViewSearch, target: ViewSearch) =>
    parseViewSearch({ ...keepView((shown) => shown === path)({ search, next: () => target }) });
  const viewOf = (search: ViewSearch) =>
    Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));

  test('the view stays, unless the link says otherwise', () => {
    const here = { zeitraum: '30tage', endkunde: 'Müller', sort: 'x' } as ViewSearch;
    expect(viewOf(to('/', here, {}))).toEqual({ zeitraum: '30tage', endkunde: 'Müller' });
    expect(viewOf(to('/', here, { zeitraum: 'heute' }))).toEqual({
      zeitraum: 'heute',
      endkunde: 'Müller',
    });
    expect(viewOf(to('/', here, { agent: 'a' }))).toEqual({ zeitraum: '30tage', agent: 'a' });
  });

  test('a change within the page is all there is', () => {
    const search = { zeitraum: '30tage', agent: 'a' };
    const leave = rememberView(search, '/laeufe');
    expect(viewOf(to('/laeufe', search, { zeitraum: '30tage' }))).toEqual({ zeitraum: '30tage' });
    expect(viewOf(to('/', search, { zeitraum: '30tage' }))).toEqual(search);
    leave();
    expect(viewOf(to('/laeufe', search, { zeitraum: '30tage' }))).toEqual(search);
  });

  test('it is kept on the way by pages that have none', () => {
    rememberView({ zeitraum: 'gestern', modell: 'm' }, '/laeufe')();
    expect(viewOf(to('/', {}, {}))).toEqual({ zeitraum: 'gestern', modell: 'm' });
    // What an address says is all that it says.
    expect(viewOf(to('/', { zeitraum: 'heute' }, {}))).toEqual({ zeitraum: 'heute' });
  });
});
