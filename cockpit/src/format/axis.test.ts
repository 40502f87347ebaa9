import { describe, expect, it } from 'vitest';
import { type AxisKind, axisOf } from './axis.ts';
import type { Language } from './number.ts';

const labels = (highest: number, kind: AxisKind, language: Language = 'de') =>
  axisOf(highest, kind, language).ticks.map(({ label }) => label.replaceAll('\u00a0', ' '));

describe('axisOf', () => {
  it.each<[number, AxisKind, Language, string[]]>([
    [0.0174, 'money', 'de', ['0 €', '0,005 €', '0,010 €', '0,015 €', '0,020 €']],
    [0.0174, 'money', 'en', ['€0', '€0.005', '€0.010', '€0.015', '€0.020']],
    [0.05, 'money', 'de', ['0 €', '0,01 €', '0,02 €', '0,03 €', '0,04 €', '0,05 €']],
    [
      0.000001,
      'money',
      'de',
      ['0 €', '0,0000002 €', '0,0000004 €', '0,0000006 €', '0,0000008 €', '0,0000010 €'],
    ],
    [0.3, 'money', 'de', ['0 €', '0,1 €', '0,2 €', '0,3 €']],
    [174, 'money', 'de', ['0 €', '50 €', '100 €', '150 €', '200 €']],
    [12_500, 'money', 'de', ['0 €', '5.000 €', '10.000 €', '15.000 €']],
    [1_700_000, 'money', 'de', ['0 €', '0,5 Mio. €', '1,0 Mio. €', '1,5 Mio. €', '2,0 Mio. €']],
    [1_700_000, 'money', 'en', ['€0', '€0.5m', '€1.0m', '€1.5m', '€2.0m']],
    [9e9, 'count', 'de', ['0', '2 Mrd.', '4 Mrd.', '6 Mrd.', '8 Mrd.', '10 Mrd.']],
    [25_000_000, 'count', 'en', ['0', '5m', '10m', '15m', '20m', '25m']],
    [2, 'count', 'de', ['0', '1', '2']],
    [1, 'count', 'de', ['0', '1']],
    [0, 'money', 'de', ['0 €']],
    [Number.NaN, 'count', 'de', ['0']],
  ])('up to %d (%s, %s)', (highest, kind, language, expected) => {
    expect(labels(highest, kind, language)).toEqual(expected);
  });

  /** What the label says, in units of its last decimal place, and how many places there are. */
  function read(label: string): { places: number; digits: bigint } {
    const number = label.replace(/[^\d,]/g, '');
    return { places: number.split(',')[1]?.length ?? 0, digits: BigInt(number.replace(',', '')) };
  }

  const magnitudes = Array.from({ length: 17 }, (_, index) => 10 ** (index - 6));
  const highests = magnitudes.flatMap((power) =>
    [1, 1.3, 2, 2.7, 4.99, 5, 7.1, 9.99].map((part) => part * power),
  );

  it.each(['money', 'count'] as const)('says every value as it is, at every magnitude (%s)', (kind) => {
    for (const highest of highests) {
      const { ticks, top } = axisOf(highest, kind, 'de');
      const where = `${kind} ${highest}`;
      expect(top, where).toBeGreaterThanOrEqual(highest * (1 - 1e-9));
      if (kind === 'money' || highest >= 2) expect(top, where).toBeLessThanOrEqual(highest * 2);
      expect(ticks.length, where).toBeLessThanOrEqual(6);
      const said = ticks.slice(1).map(({ label }) => read(label));
      const [first] = said;
      // Equal steps, in words as in the picture; none rounded away.
      said.forEach(({ places, digits }, index) => {
        expect(places, where).toBe(first?.places);
        expect(digits, where).toBe((first?.digits ?? 0n) * BigInt(index + 1));
        expect(ticks[index + 1]?.value, where).toBeCloseTo((top * (index + 1)) / said.length, 12);
      });
      // No decimal more than that takes.
      if (first && first.places > 0) expect(first.digits % 10n, where).not.toBe(0n);
    }
  });
});
