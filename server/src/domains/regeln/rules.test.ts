import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GELTUNGSBEREICHE, REGELTYP_NAMEN, REGELTYPEN, type Regeltyp, STUFEN } from '#contracts';
import { InvalidInput, type ValueFault } from '#kernel/errors.ts';
import { DEFAULT_RULES } from './defaults.ts';
import { changed, settle, type Wish } from './rules.ts';

const wish = (over: Partial<Wish>): Wish => ({
  typ: 'kosten_grenze',
  geltungsbereich: 'mandant',
  bezug_id: null,
  schwelle: null,
  einheit: null,
  stufe: 'warnen',
  zeitfenster: null,
  schattenbetrieb: true,
  aktiv: true,
  parameter: {},
  ...over,
});

function faultsOf(over: Partial<Wish>): readonly ValueFault[] {
  try {
    settle(wish(over));
    return [];
  } catch (error) {
    if (error instanceof InvalidInput) return error.faults;
    throw error;
  }
}
const placesOf = (over: Partial<Wish>) => faultsOf(over).map(({ path }) => path.join('.'));

describe('a field left out', () => {
  test.each(REGELTYP_NAMEN)('%s has what its type says, and nothing else must be given', (typ) => {
    const { schwelle, zeitfenster, parameter, hoechstens } = REGELTYPEN[typ];
    const needed: Partial<Record<Regeltyp, Partial<Wish>>> = {
      kosten_grenze: { schwelle: '5' },
      raten_grenze: { schwelle: '5' },
      modell_verboten: { parameter: { erlaubt: ['gpt-*'] } },
    };
    if (needed[typ]) expect(faultsOf({ typ })).toHaveLength(1);
    const rule = settle(wish({ typ, stufe: 'beobachten', ...needed[typ] }));
    expect(rule.schwelle).toBe(schwelle ? (schwelle.default ?? '5') : null);
    expect(rule.einheit).toBe(schwelle ? schwelle.einheiten[0] : null);
    expect(rule.zeitfenster).toBe(zeitfenster?.default ?? null);
    expect(Object.keys(rule.parameter).sort()).toEqual(Object.keys(parameter.properties).sort());
    expect(faultsOf({ typ, stufe: hoechstens, ...needed[typ] })).toEqual([]);
  });

  test('the default of a threshold is meant in the first unit', () => {
    expect(settle(wish({ typ: 'lauf_deckel' }))).toMatchObject({ schwelle: '200', einheit: 'aufrufe' });
    expect(faultsOf({ typ: 'lauf_deckel', einheit: 'eur' })).toMatchObject([
      { path: ['schwelle'], type: 'missing' },
    ]);
  });
});

describe('refused', () => {
  test.each<[Partial<Wish>, string]>([
    [{ schwelle: '-1' }, 'schwelle'],
    [{ schwelle: '1000000001' }, 'schwelle'],
    [{ schwelle: `0.${'1'.repeat(35)}` }, 'schwelle'],
    [{ schwelle: '5', einheit: 'usd' }, 'einheit'],
    [{ schwelle: '5', zeitfenster: '5 min' }, 'zeitfenster'],
    [{ schwelle: '5', zeitfenster: 'woche' }, 'zeitfenster'],
    [{ schwelle: '5', bezug_id: 'a' }, 'bezug_id'],
    [{ schwelle: '5', geltungsbereich: 'agent' }, 'bezug_id'],
    [{ schwelle: '5', parameter: { faktor: 3 } }, 'parameter.faktor'],
    [{ schwelle: '5', parameter: JSON.parse('{"__proto__":1}') }, 'parameter.__proto__'],
    [{ schwelle: '5', parameter: { toString: 1 } }, 'parameter.toString'],
    [{ typ: 'schleife_exakt', schwelle: '2.5' }, 'schwelle'],
    [{ typ: 'schleife_nah', schwelle: '21' }, 'schwelle'],
    [{ typ: 'schleife_exakt', zeitfenster: '5m' }, 'zeitfenster'],
    [{ typ: 'stille', schwelle: '1' }, 'schwelle'],
    [{ typ: 'stille', einheit: 'aufrufe' }, 'einheit'],
    [{ typ: 'wiederholsturm', zeitfenster: 'tag' }, 'zeitfenster'],
    [{ typ: 'duplikat', stufe: 'drosseln' }, 'stufe'],
    [{ typ: 'modell_verboten' }, 'parameter.erlaubt'],
    [{ typ: 'budget_schwelle', geltungsbereich: 'modell', bezug_id: 'gpt' }, 'geltungsbereich'],
    [{ typ: 'budget_schwelle', parameter: { stufen: [] } }, 'parameter.stufen'],
    [{ typ: 'budget_schwelle', parameter: { stufen: [50, 101] } }, 'parameter.stufen.1'],
    [{ typ: 'latenz', parameter: { messwert: 'x' } }, 'parameter.messwert'],
    [{ typ: 'kosten_spitze', parameter: { z: `3.${'1'.repeat(35)}` } }, 'parameter.z'],
  ])('%j', (over, place) => expect(placesOf(over)).toEqual([place]));

  test('all faults are named at once', () => {
    expect(
      placesOf({
        typ: 'latenz',
        schwelle: '0',
        stufe: 'sperren',
        zeitfenster: 'x',
        parameter: { tage: 31, b: 1 },
      }),
    ).toEqual(['schwelle', 'stufe', 'zeitfenster', 'parameter.b', 'parameter.tage']);
  });
});

const arbitraryWish: fc.Arbitrary<Wish> = fc.record({
  typ: fc.constantFrom(...REGELTYP_NAMEN),
  geltungsbereich: fc.constantFrom(...GELTUNGSBEREICHE),
  bezug_id: fc.option(fc.string({ minLength: 1 })),
  schwelle: fc.option(
    fc.oneof(fc.integer({ min: -5, max: 2_000 }).map(String), fc.constantFrom('0.5', '3.75')),
  ),
  einheit: fc.option(fc.constantFrom('eur', 'aufrufe', 'schritte', 'prozent', 'faktor', 'token', 'x')),
  stufe: fc.constantFrom(...STUFEN),
  zeitfenster: fc.option(fc.constantFrom('5m', '24h', 'tag', 'monat', '0m')),
  schattenbetrieb: fc.boolean(),
  aktiv: fc.boolean(),
  parameter: fc.dictionary(fc.constantFrom('mindest_aufrufe', 'faktor', 'stufen', 'x'), fc.anything(), {
    maxKeys: 2,
  }),
});

test('what was settled once is settled, and a change of nothing leaves it', () => {
  let settled = 0;
  fc.assert(
    fc.property(arbitraryWish, (wanted) => {
      if (faultsOf(wanted).length > 0) return;
      settled += 1;
      const rule = settle(wanted);
      expect(settle(rule)).toEqual(rule);
      expect(changed(rule, {})).toEqual(rule);
      expect(changed(rule, { typ: null, schwelle: null, parameter: null, aktiv: null })).toEqual(rule);
    }),
    { numRuns: 10_000 },
  );
  expect(settled).toBeGreaterThan(20);
});

describe('a change', () => {
  const before = wish({ typ: 'lauf_deckel', schwelle: '300', einheit: 'aufrufe' });

  test('of the type begins anew with what belongs to it', () => {
    expect(settle(changed(before, { typ: 'fehlerbrand' }))).toMatchObject({
      schwelle: '20',
      einheit: 'prozent',
      zeitfenster: '15m',
      parameter: { mindest_aufrufe: 10, mindest_kosten_eur: '1', mindest_fehler: 20 },
    });
  });

  test('of the unit asks for the threshold', () => {
    expect(faultsOf(changed(before, { einheit: 'eur' }))).toMatchObject([{ path: ['schwelle'] }]);
    expect(settle(changed(before, { einheit: 'eur', schwelle: '2.5' }))).toMatchObject({ schwelle: '2.5' });
  });

  test('of the scope asks for what it holds for, but for everything', () => {
    const ofAgent = wish({ ...before, geltungsbereich: 'agent', bezug_id: 'a' });
    expect(placesOf(changed(ofAgent, { geltungsbereich: 'projekt' }))).toEqual(['bezug_id']);
    expect(changed(ofAgent, { geltungsbereich: 'mandant' }).bezug_id).toBeNull();
    expect(changed(ofAgent, { bezug_id: 'b' }).bezug_id).toBe('b');
  });
});

test('of the rules a Mandant begins with one stops runs, that cost too much; the others touch nothing', () => {
  expect(DEFAULT_RULES.length).toBeGreaterThan(10);
  for (const { typ, schattenbetrieb, stufe, einheit, name } of DEFAULT_RULES) {
    const isCostOfRun = typ === 'lauf_deckel' && einheit === 'eur' && stufe === 'anhalten';
    expect(schattenbetrieb || stufe === 'warnen' || isCostOfRun, typ).toBe(true);
    expect(name.length, typ).toBeGreaterThan(3);
  }
  expect(DEFAULT_RULES.filter(({ schattenbetrieb }) => !schattenbetrieb).map(({ typ }) => typ)).toEqual([
    'lauf_deckel',
    'kosten_grenze',
    'kosten_grenze',
    'budget_schwelle',
  ]);
});
