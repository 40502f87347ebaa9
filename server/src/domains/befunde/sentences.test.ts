import { describe, expect, it, test } from 'vitest';
import { REGELTYP_NAMEN, REGELTYPEN } from '#contracts';
import { expectFigures } from '#test/figures.ts';
import { sentenceOf, subjectOf, type ToldFinding, titleOf } from './sentences.ts';

const told = (change: Partial<ToldFinding> = {}): ToldFinding => ({
  typ: 'lauf_deckel',
  objektArt: 'lauf',
  objekt: '1b47d40a-0000-4000-8000-000000000000',
  agent: 'support/triage',
  werte: { aufrufe: 1_400, fehler: 0, unbepreist: 0, schwelle: '200', einheit: 'aufrufe' },
  kostenEur: '1234.5',
  verbranntEur: null,
  potentialEur: null,
  ...change,
});

test('says what it is about, the figures and the money, in both languages', () => {
  const { de, en } = sentenceOf(told());
  expect(de).toBe(
    'Lauf 1b47d40a von support/triage hat 1.400 Aufrufe, erlaubt sind 200: 1.234,50\u00a0€ Kosten.',
  );
  expect(en).toBe('Run 1b47d40a of support/triage has 1,400 calls, allowed are 200: €1,234.50 cost.');
});

test.each([
  ['0.004', 'unter 0,01\u00a0€ Kosten'],
  ['0.0099', 'unter 0,01\u00a0€ Kosten'],
  ['0.01', ': 0,01\u00a0€ Kosten'],
  ['0', 'erlaubt sind 200.'],
])('%s EUR is not nothing, and nothing is not said', (kostenEur, expected) => {
  expect(sentenceOf(told({ kostenEur })).de).toContain(expected);
});

test('names the steps, of more than are listed the first', () => {
  const of = (anzahl: number) =>
    sentenceOf(
      told({ typ: 'schleife_exakt', werte: { schritte: [3, 4, 5], anzahl } as ToldFinding['werte'] }),
    );
  expect(of(3).de).toContain('denselben Aufruf (Schritte 3 – 5)');
  expect(of(420).de).toContain('denselben Aufruf (ab Schritt 3)');
  expect(of(420).en).toContain('(from step 3 on)');
});

test('a hard limit that refuses calls is named with its rest', () => {
  const werte = { grenze: 'Tag', grenze_eur: '20', ausgegeben_eur: '19.6', rest_eur: '0.4', bis: '' };
  const usedUp = told({ typ: 'grenze_ausgeschoepft', objektArt: 'mandant', kostenEur: '19.6', werte });
  expect(sentenceOf(usedUp).de.replaceAll('\u00a0', ' ')).toBe(
    'Das Konto schöpft die Grenze „Tag“ von 20,00 € aus; Aufrufe, die mehr als 0,40 € kosten können, werden abgelehnt, bevor sie gemacht sind: 19,60 € Kosten.',
  );
});

test('an amount beyond doubles is said exactly', () => {
  expect(sentenceOf(told({ kostenEur: '90071992547409931.01' })).de).toContain('90.071.992.547.409.931,01');
});

test('everything together is named as such', () => {
  expect(subjectOf({ objektArt: 'mandant', objekt: '', agent: null }).de).toBe('Das Konto');
  const limit = { wert: '12', schwelle: '10', einheit: 'eur', von: '', bis: '', aufrufe: 3, unbepreist: 0 };
  const spent = told({ typ: 'kosten_grenze', objektArt: 'mandant', objekt: '', agent: null, werte: limit });
  expect(titleOf(spent, 'sperren', new Date()).de).toBe('Kostengrenze überschritten – Sperre angeordnet');
  expect(sentenceOf(spent).de).toMatch(/^Das Konto hat/);
});

describe.each(REGELTYP_NAMEN)('%s', (typ) => {
  const { beispiel, objekt } = REGELTYPEN[typ];

  it('has an example of the figures that it says it has', () => {
    expectFigures(typ, beispiel);
  });

  it('has a sentence in both languages', () => {
    const objektArt = objekt === 'bereich' ? 'mandant' : objekt;
    const { de, en } = sentenceOf(told({ typ, objektArt, objekt: 'x', werte: beispiel }));
    for (const text of [de, en]) expect(text).not.toMatch(/undefined|null|NaN|\[object/);
    expect([de, en].filter((text) => text.includes(`: ${typ}`))).toEqual([]);
    expect(de).not.toBe(en);
  });
});

test('a budget that is passed by far, or over several thresholds at once, has a sentence with how much was spent', () => {
  const werte = { schwelle_prozent: 80, budget_eur: '1.00', anteil_prozent: '315.00' };
  const spoken = (more: Partial<ToldFinding>) => {
    const { de, en } = sentenceOf(told({ typ: 'budget_schwelle', werte, ...more }));
    return [de, en].map((text) => text.replaceAll(/\s/g, ' '));
  };
  const [de, en] = spoken({ kostenEur: '3.15' });
  expect(de).toContain('hat 315 % des Monatsbudgets von 1,00 € verbraucht (Schwelle 80 %): 3,15 €');
  expect(en).toContain('has spent 315 % of the monthly budget of €1.00 (threshold 80 %): €3.15');
  // Just reached, and as it was written down before.
  for (const anteil_prozent of ['80.00', undefined])
    expect(spoken({ werte: { ...werte, anteil_prozent } })[0]).toContain(
      'hat 80 % des Monatsbudgets von 1,00 € verbraucht',
    );
});
