import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeptText } from './kept-text.ts';

const encoder = new TextEncoder();
const MIB = 1_048_576;

test('whatever the pieces, their text is that of the whole, also where they are changed afterwards', () => {
  const piece = fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.uint8Array({ minLength: 4_000, maxLength: 9_000 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const kept = new KeptText();
      const whole = new TextDecoder().decode(Buffer.concat(pieces));
      for (const each of pieces) {
        kept.take(each);
        // A small one is no longer needed.
        if (each.length < 4_096) each.fill(0);
      }
      expect(kept.text()).toBe(whole);
    }),
  );
});

test('of a long one the beginning and the end are kept', () => {
  const kept = new KeptText();
  const line = encoder.encode(`${'a'.repeat(1_023)}\n`);
  kept.take(encoder.encode('begin\n'));
  for (let kib = 0; kib < 8 * 1_024; kib += 1) kept.take(line);
  kept.take(encoder.encode('end\n'));
  const text = kept.text();
  expect(text.startsWith('begin\na')).toBe(true);
  expect(text.endsWith('a\nend\n')).toBe(true);
  expect(text.length).toBeGreaterThan(5 * MIB);
  expect(text.length).toBeLessThan(5 * MIB + 4_096);
});
