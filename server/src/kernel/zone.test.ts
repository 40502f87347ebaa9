import { expect, it } from 'vitest';
import { zoneOf } from './zone.ts';

it.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['europe/berlin', 'Europe/Berlin'],
  ['UTC', 'UTC'],
  ['+02:00', null],
  ['-05:00', null],
  ['Europe/Entenhausen', null],
  ['2026-01-01T00:00Z', null],
  ['', null],
])('%j names %j', (text, zone) => expect(zoneOf(text)).toBe(zone));
