import { describe, expect, it } from 'vitest';
import { REGELTYPEN, STUFEN } from '#contracts/rule-types.ts';
import type { Regel, Regeltyp } from '../../api/types.ts';
import { regeln as de } from '../../i18n/de/regeln.ts';
import { draftFor, draftOf, levelsOf, toBody } from './draft.ts';

const parameter = (name: string, art: Regeltyp['parameter'][number]['art'], vorgabe: unknown) => ({
  name,
  bedeutung: '',
  art,
  pflicht: vorgabe === null,
  vorgabe,
  min: null,
  max: null,
  werte: null,
});

const some = (more: Partial<Regeltyp>): Regeltyp => ({
  typ: 'kosten_grenze',
  name: '',
  bedeutung: '',
  objekt: 'bereich',
  schwelle: { einheiten: ['eur'], vorgabe: null, min: '0', max: '1000000000' },
  zeitfenster: { vorgabe: 'tag', kalender: true },
  parameter: [],
  bereiche: ['mandant', 'projekt', 'agent', 'modell'],
  hoechstens: 'sperren',
  ...more,
});

const limit = some({});
const spike = some({
  typ: 'kosten_spitze',
  schwelle: { einheiten: ['faktor'], vorgabe: '3', min: '1', max: '1000' },
  zeitfenster: null,
  parameter: [parameter('z', 'dezimal', '3.5'), parameter('wochen', 'ganzzahl', 4)],
});
const budget = some({
  typ: 'budget_schwelle',
  schwelle: null,
  zeitfenster: null,
  parameter: [parameter('stufen', 'zahlen', [50, 80, 100])],
});
const allowed = some({
  typ: 'modell_verboten',
  schwelle: null,
  zeitfenster: null,
  parameter: [parameter('erlaubt', 'woerter', null)],
});
const small = some({ typ: 'modell_zu_gross', parameter: [parameter('erlaubt', 'woerter', [])] });
const pingpong = some({ typ: 'pingpong', bereiche: ['mandant', 'projekt', 'agent'], zeitfenster: null });

describe('the form', () => {
  it.each([limit, spike, budget, allowed, small, pingpong].map((type) => [type.typ, type] as const))(
    'of %s sends what its type says when nothing is changed',
    (_, type) => {
      const { parameter, ...body } = toBody(draftFor(type, 'de'), type, 'de', true);
      expect(body.schwelle).toBe(type.schwelle?.vorgabe ?? undefined);
      expect(body.zeitfenster).toBe(type.zeitfenster?.vorgabe);
      const defaults = type.parameter.filter(({ vorgabe }) => vorgabe !== null);
      expect(parameter).toEqual(Object.fromEntries(defaults.map(({ name, vorgabe }) => [name, vorgabe])));
    },
  );

  it('shows decimals as the language writes them, and reads them back', () => {
    const type = spike;
    const draft = draftFor(type, 'de');
    expect(draft.parameter.z).toBe('3,5');
    expect(toBody(draft, type, 'de', true).parameter).toMatchObject({ z: '3.5', wochen: 4 });
  });

  it('sends what is no number as it was typed, so that the service says so', () => {
    const type = budget;
    const draft = { ...draftFor(type, 'de'), parameter: { stufen: '50, achtzig' } };
    expect(toBody(draft, type, 'de', true).parameter).toEqual({ stufen: [50, 'achtzig'] });
  });

  it('keeps name and scope when another type is chosen that can have it', () => {
    const before = {
      ...draftFor(limit, 'de'),
      name: 'n',
      geltungsbereich: 'agent' as const,
      bezug_id: 'a',
    };
    expect(draftFor(pingpong, 'de', before)).toMatchObject({ name: 'n', bezug_id: 'a' });
    const ofModel = { ...before, geltungsbereich: 'modell' as const, bezug_id: 'gpt-4o' };
    expect(draftFor(pingpong, 'de', ofModel)).toMatchObject({
      geltungsbereich: 'mandant',
      bezug_id: '',
    });
  });

  it('of a rule that is there sends an emptied threshold, since left out it would stay', () => {
    const type = limit;
    const rule = {
      typ: 'kosten_grenze',
      name: 'r',
      geltungsbereich: 'agent',
      bezug_id: 'a',
      schwelle: '12.5',
      einheit: 'eur',
      stufe: 'warnen',
      zeitfenster: 'tag',
      parameter: {},
    } as unknown as Regel;
    const draft = draftOf(rule, type, 'de');
    expect(draft.schwelle).toBe('12,5');
    expect(toBody({ ...draft, schwelle: '' }, type, 'de', false)).toMatchObject({ schwelle: '' });
    expect(toBody({ ...draft, schwelle: '' }, type, 'de', true)).not.toHaveProperty('schwelle');
  });
});

it('the levels end where the type does', () => {
  expect(levelsOf({ hoechstens: 'warnen' }, STUFEN)).toEqual(['beobachten', 'warnen']);
  expect(levelsOf(limit, STUFEN)).toEqual(STUFEN);
});

it.each(Object.entries(REGELTYPEN))('%s has its texts', (typ, { schwelle, parameter }) => {
  expect(Object.keys(de.typ)).toContain(typ);
  expect(Object.keys(de.meaning)).toContain(typ);
  for (const [name, schema] of Object.entries(parameter.properties)) {
    expect(Object.keys(de.parameter)).toContain(name);
    for (const word of (schema as { enum?: string[] }).enum ?? [])
      expect(Object.keys(de.word)).toContain(word);
  }
  for (const unit of schwelle?.einheiten ?? []) expect(Object.keys(de.units)).toContain(unit);
});
