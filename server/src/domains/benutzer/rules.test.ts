import { describe, expect, it } from 'vitest';
import type { Rolle } from '#domains/zugang/index.ts';
import {
  endsSessions,
  invitableBy,
  isInvitationOpen,
  mayHandle,
  refusalOfChange,
  type Standing,
} from './rules.ts';

const ROLES: Rolle[] = ['betrachter', 'buchhaltung', 'bearbeiter', 'verwalter', 'inhaber'];
const as = (rolle: Rolle, aktiv = true): Standing => ({ rolle, aktiv });

describe('roles somebody may invite to', () => {
  it.each([
    ['inhaber', ['inhaber', 'verwalter', 'bearbeiter', 'buchhaltung', 'betrachter']],
    ['verwalter', ['verwalter', 'bearbeiter', 'buchhaltung', 'betrachter']],
    ['bearbeiter', []],
  ] as const)('%s', (rolle, roles) => {
    expect(invitableBy({ rolle, aktiv: true }).toSorted()).toEqual(roles.toSorted());
    expect(invitableBy({ rolle, aktiv: false })).toEqual([]);
  });

  it('of somebody who is gone are none', () => expect(invitableBy(null)).toEqual([]));
});

describe('roles one may give and take', () => {
  it.each<[Rolle, Rolle[]]>([
    ['inhaber', ROLES],
    ['verwalter', ['betrachter', 'buchhaltung', 'bearbeiter', 'verwalter']],
    ['bearbeiter', ['betrachter', 'buchhaltung', 'bearbeiter']],
    ['buchhaltung', ['betrachter', 'buchhaltung', 'bearbeiter']],
    ['betrachter', ['betrachter']],
  ])('%s: none above', (own, roles) => {
    expect(ROLES.filter((other) => mayHandle(own, other))).toEqual(roles);
  });
});

describe('changes of a user', () => {
  it.each(ROLES.slice(0, 4))('a verwalter may make a %s anything but inhaber', (before) => {
    const refused = ROLES.filter((after) => refusalOfChange('verwalter', as(before), as(after), 1) !== null);
    expect(refused).toEqual(['inhaber']);
  });

  it.each<[string, Standing | null]>([
    ['demote', as('verwalter')],
    ['disable', as('inhaber', false)],
    ['rename', as('inhaber')],
    ['remove', null],
  ])('a verwalter may not %s an inhaber, however many there are', (_what, after) => {
    expect(refusalOfChange('verwalter', as('inhaber'), after, 9)).toBe('role_above_own');
  });

  it.each<[string, Standing | null]>([
    ['demoted', as('verwalter')],
    ['disabled', as('inhaber', false)],
    ['demoted and disabled', as('betrachter', false)],
    ['removed', null],
  ])('an inhaber may be %s unless it is the last active one', (_what, after) => {
    expect(refusalOfChange('inhaber', as('inhaber'), after, 2)).toBeNull();
    expect(refusalOfChange('inhaber', as('inhaber'), after, 1)).toBe('last_inhaber');
  });

  it('the last active inhaber may be renamed, and a disabled one removed', () => {
    expect(refusalOfChange('inhaber', as('inhaber'), as('inhaber'), 1)).toBeNull();
    expect(refusalOfChange('inhaber', as('inhaber', false), null, 1)).toBeNull();
    expect(refusalOfChange('inhaber', as('inhaber', false), as('verwalter', false), 1)).toBeNull();
  });
});

describe('sessions end', () => {
  it.each<[Standing, Standing, boolean]>([
    [as('bearbeiter'), as('betrachter'), true],
    [as('betrachter'), as('bearbeiter'), true],
    [as('betrachter'), as('betrachter', false), true],
    [as('betrachter'), as('betrachter'), false],
    [as('betrachter', false), as('betrachter'), false],
  ])('%j -> %j: %s', (before, after, ends) => {
    expect(endsSessions(before, after)).toBe(ends);
  });
});

describe('an invitation', () => {
  it('is open until it ends', () => {
    const end = '2026-05-08T10:00:00.000Z';
    expect(isInvitationOpen(end, new Date('2026-05-08T09:59:59.999Z'))).toBe(true);
    expect(isInvitationOpen(end, new Date(end))).toBe(false);
  });
});
