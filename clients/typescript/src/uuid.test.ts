import fc from 'fast-check';
import { v5, validate, version } from 'uuid';
import { expect, test } from 'vitest';
import { uuidV5, uuidV7 } from './uuid.ts';

test('one of a name is that of everybody else', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.uuid(), (name, namespace) => {
      expect(uuidV5(name, namespace)).toBe(v5(name, namespace));
    }),
  );
});

test('a new one begins with the time, and is another every time', () => {
  const now = Date.UTC(2026, 10, 26);
  const made = Array.from({ length: 100 }, () => uuidV7(now));
  expect(new Set(made).size).toBe(100);
  for (const each of made) {
    expect([validate(each), version(each)]).toEqual([true, 7]);
    expect(Number.parseInt(each.replace('-', '').slice(0, 12), 16)).toBe(now);
  }
});
