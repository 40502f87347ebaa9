import { describe, expect, it } from 'vitest';
import { strengthOf } from './strength.ts';

describe('strengthOf', () => {
  it.each(['', 'kurz', 'neunzeich', '🦊🦊🦊🦊🦊'])('finds %j too short', (password) => {
    expect(strengthOf(password)).toBe('kurz');
  });

  it.each(['aaaaaaaaaa', '1234567890', 'Passwort123', 'qwertqwert1', 'abababababab'])(
    'finds %s easy to guess',
    (password) => {
      expect(strengthOf(password)).toBe('leicht');
    },
  );

  it('knows what others know of the user', () => {
    expect(strengthOf('mustermann1')).toBe('gut');
    expect(strengthOf('mustermann1', ['erika.mustermann@example.org'])).toBe('leicht');
    expect(strengthOf('Nordlicht2026', ['Nordlicht Software GmbH'])).toBe('leicht');
  });

  it.each(['ein-langes-passwort', 'korrekt pferd batterie', 'x7!mQpt2Lz'])('lets %s pass', (password) => {
    expect(strengthOf(password)).toBe('gut');
  });
});
