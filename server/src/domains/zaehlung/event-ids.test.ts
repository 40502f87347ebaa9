/** A set of ids, against a `Set` of their texts. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { uuidBytes } from '#kernel/hex.ts';
import { EventIds } from './event-ids.ts';

const uuid = fc.oneof(
  fc.uuid(),
  fc.integer({ min: 0, max: 40 }).map((n) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
);

test('tells ids apart, keeps their order, and takes back the last ones', () => {
  fc.assert(
    fc.property(fc.array(uuid, { maxLength: 200 }), fc.nat(), (list, cut) => {
      const column = Buffer.concat(list.map(uuidBytes));
      const ids = new EventIds();
      const seen = new Set<string>();
      for (const [index, text] of list.entries()) {
        expect(ids.has(column, index)).toBe(seen.has(text));
        expect(ids.add(column, index)).toBe(!seen.has(text));
        seen.add(text);
      }
      const texts = [...seen];
      expect(ids.count).toBe(texts.length);
      expect(ids.texts()).toEqual(texts);
      expect(ids.bytes).toEqual(Buffer.concat(texts.map(uuidBytes)));
      const kept = texts.slice(0, cut % (texts.length + 1));
      ids.truncate(kept.length);
      expect(ids.texts()).toEqual(kept);
      for (const [index, text] of list.entries()) expect(ids.has(column, index)).toBe(kept.includes(text));
    }),
  );
});
