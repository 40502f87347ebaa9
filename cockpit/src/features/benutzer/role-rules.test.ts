import { describe, expect, it } from 'vitest';
import type { Rolle } from '../../api/types.ts';
import { guardOf, rolesUpTo } from './role-rules.ts';

const user = (benutzer_id: string, rolle: Rolle, aktiv = true) => ({ benutzer_id, rolle, aktiv });

describe('rolesUpTo', () => {
  it('offers no role above the own one', () => {
    expect(rolesUpTo('verwalter')).toEqual(['betrachter', 'buchhaltung', 'bearbeiter', 'verwalter']);
    expect(rolesUpTo('inhaber')).toContain('inhaber');
  });
});

describe('guardOf', () => {
  const owner = user('a', 'inhaber');
  const second = user('b', 'inhaber');
  const admin = user('c', 'verwalter');
  const viewer = user('d', 'betrachter');

  it('lets those above change those below, and equals each other', () => {
    expect(guardOf(viewer, admin, [owner, admin, viewer])).toBeNull();
    expect(guardOf(second, owner, [owner, second])).toBeNull();
  });

  it('keeps an owner from everybody below', () => {
    expect(guardOf(owner, admin, [owner, second, admin])).toBe('above');
  });

  it('keeps everybody from themselves', () => {
    expect(guardOf(admin, admin, [owner, admin])).toBe('self');
  });

  it('names the last active owner as such', () => {
    expect(guardOf(owner, owner, [owner, admin])).toBe('lastOwner');
    expect(guardOf(owner, owner, [owner, user('b', 'inhaber', false)])).toBe('lastOwner');
    expect(guardOf(owner, owner, [owner, second])).toBe('self');
  });
});
