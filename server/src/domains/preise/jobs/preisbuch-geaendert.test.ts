import { expect, test } from 'vitest';
import { preisbuchGeaendert } from './preisbuch-geaendert.ts';

/** When it is put in, and what it causes, stands in `zaehlung/price-book.test.ts`. */
test('names the edition', () => {
  const { payload, version } = preisbuchGeaendert;
  const written = payload.write({ fassung: 7 });
  expect(payload.read(version, JSON.parse(written))).toEqual({ fassung: 7 });
  expect(() => payload.write({ fassung: 'sieben' } as never)).toThrow(TypeError);
});
