import { describe, expect, it } from 'vitest';
import { BEFUND_WERTE } from '#contracts/befund-werte.ts';
import { befunde as de } from '../../i18n/de/befunde.ts';
import { befunde as en } from '../../i18n/en/befunde.ts';
import { figuresOf, rangesOf, stepsInAddress } from './figures.ts';
import { filterOf, parseFindingsSearch } from './search.ts';

describe('figuresOf', () => {
  it('tells amounts from counts by what the finding says they are counted in', () => {
    expect(figuresOf({ wert: '12.5', schwelle: '10', einheit: 'eur', aufrufe: 240 })).toEqual([
      { name: 'wert', kind: 'money', value: '12.5', unit: 'eur', more: false },
      { name: 'schwelle', kind: 'money', value: '10', unit: 'eur', more: false },
      { name: 'aufrufe', kind: 'number', value: 240, unit: null, more: false },
    ]);
    expect(figuresOf({ wert: '900', schwelle: '500', einheit: 'aufrufe' })[0]).toMatchObject({
      kind: 'number',
      unit: 'aufrufe',
    });
  });

  it('knows a list that holds the first ones only', () => {
    const of = (anzahl: number) => figuresOf({ schritte: [3, 4], anzahl })[0]?.more;
    expect([of(2), of(420)]).toEqual([false, true]);
  });

  it('leaves out empty lists, and keeps what is not known', () => {
    expect(figuresOf({ modelle: [], z: null }).map(({ name, kind }) => [name, kind])).toEqual([
      ['z', 'number'],
    ]);
  });
});

describe('rangesOf', () => {
  it.each([
    [[3, 4, 5, 6, 7], '3–7'],
    [[7, 3, 4, 12, 3], '3–4, 7, 12'],
    [[], ''],
  ])('%j', (numbers, expected) => {
    expect(rangesOf(numbers)).toBe(expected);
  });
});

describe('stepsInAddress', () => {
  it('names the steps, or nothing where there are none', () => {
    expect(stepsInAddress({ schritte: [3, 4, 5, 9, 12, 13] })).toBe('3-5,9,12-13');
    expect(stepsInAddress({ schritte: [] })).toBeUndefined();
    expect(stepsInAddress({ aufrufe: 3 })).toBeUndefined();
  });
});

it.each(Object.entries(BEFUND_WERTE))('every figure of %s has a name in both languages', (_, schema) => {
  for (const name of Object.keys(schema.properties)) {
    expect(Object.keys(de.werte)).toContain(name);
    expect(Object.keys(en.werte)).toContain(name);
  }
});

describe('filterOf', () => {
  const filter = (raw: Record<string, unknown>) => filterOf(parseFindingsSearch(raw), ['stille']);
  it.each([
    [{}, { status: 'offen' }],
    [{ status: 'alle' }, {}],
    [{ status: 'nonsense', typ: 'nonsense', agent_id: '1' }, { status: 'offen' }],
    [
      { status: 'erledigt', typ: 'stille' },
      { status: 'erledigt', typ: 'stille' },
    ],
    [
      { vorfall_id: '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b' },
      { vorfall_id: '0192f5c1-7d2e-7c3a-9b61-0a4f5e6d7c8b' },
    ],
  ])('%j', (raw, expected) => {
    expect(filter(raw)).toEqual(expected);
  });
});
