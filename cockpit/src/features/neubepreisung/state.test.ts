import { describe, expect, it } from 'vitest';
import { directionOf, hasResult, partOf } from './state.ts';

describe('a repricing', () => {
  it('has come as far as calls were looked at, never further than all', () => {
    expect(partOf({ gelesen: 250, ereignisse: 1000 })).toBe(0.25);
    expect(partOf({ gelesen: 1002, ereignisse: 1000 })).toBe(1);
    expect(partOf({ gelesen: 0, ereignisse: 0 })).toBeNull();
  });

  it.each([
    ['0.0000000000000000001', 'dearer'],
    ['-0.0000000000000000001', 'cheaper'],
    ['0', 'equal'],
  ] as const)('%s in EUR is %s', (difference, direction) => {
    expect(directionOf(difference)).toBe(direction);
  });

  it.each([
    ['vorschau', null, false],
    ['bereit', null, true],
    ['laeuft', '2026-11-01T00:00:00Z', false],
    ['fertig', '2026-11-01T00:00:00Z', true],
    ['abgebrochen', '2026-11-01T00:00:00Z', true],
    ['abgebrochen', null, false],
    ['fehlgeschlagen', '2026-11-01T00:00:00Z', true],
    ['fehlgeschlagen', null, false],
  ] as const)('that is %s (applied: %s) has a result: %s', (status, angewendet_am, result) => {
    expect(hasResult({ status, angewendet_am })).toBe(result);
  });
});
