import { describe, expect, it } from 'vitest';
import { buildPath } from './path.ts';

describe('buildPath', () => {
  it('fills parameters and escapes them', () => {
    expect(buildPath('/v1/laeufe/{lauf_id}', { lauf_id: 'a/b ?' })).toBe('/v1/laeufe/a%2Fb%20%3F');
  });

  it('leaves out what is not set, keeps false and zero', () => {
    const query = { agent_id: undefined, status: '', nur_fehler: false, limit: 0, q: null };
    expect(buildPath('/v1/cockpit/laeufe', {}, query)).toBe('/v1/cockpit/laeufe?nur_fehler=false&limit=0');
  });

  it('repeats what has several values', () => {
    expect(buildPath('/x', {}, { agent: ['a', 'b'], gruppe: ['endkunde'] })).toBe(
      '/x?agent=a&agent=b&gruppe=endkunde',
    );
  });

  it('says which calls have no value of a dimension', () => {
    expect(buildPath('/x', {}, { endkunde: '', status: '' })).toBe('/x?endkunde=');
  });

  it('escapes the query', () => {
    expect(buildPath('/x', {}, { zeitraum: '2026-01-01..2026-01-02', status: 'a&b' })).toBe(
      '/x?zeitraum=2026-01-01..2026-01-02&status=a%26b',
    );
  });

  it('refuses a path with a hole', () => {
    expect(() => buildPath('/v1/laeufe/{lauf_id}')).toThrow('lauf_id');
  });
});
