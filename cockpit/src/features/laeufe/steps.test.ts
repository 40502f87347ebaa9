import { describe, expect, it } from 'vitest';
import { ADDED_FIELDS, SENT_FIELDS } from '#contracts/event-fields.ts';
import type { Ereignis } from '../../api/types.ts';
import { foldRepeats, toSteps, worstRepeats } from './steps.ts';

const UNSAID = Object.fromEntries<unknown>(
  Object.keys({ ...SENT_FIELDS, ...ADDED_FIELDS }).map((name) => [name, null]),
) as Ereignis;

const event = (second: number, prompt: string | null, change: Partial<Ereignis> = {}): Ereignis => ({
  ...UNSAID,
  ereignis_id: `00000000-0000-4000-8000-${String(second).padStart(12, '0')}`,
  zeitpunkt: new Date(Date.UTC(2026, 10, 21, 12, 0, second)).toISOString(),
  empfangen_am: '2026-11-21T12:01:00.000Z',
  anbieter: 'openai',
  modell: 'gpt-4o-mini',
  agent: 'a',
  projekt: 'p',
  lauf_id: '11111111-1111-4111-8111-111111111111',
  eingabe_token: 1,
  ausgabe_token: 1,
  latenz_ms: 1000,
  status: 'erfolgreich',
  geschaetzt: false,
  prompt_fingerabdruck: prompt,
  quelle: 'ingest',
  kurs_usd_eur: '0.86',
  ...change,
});

const a = 'aaaaaaaaaaaaaaaa';
const b = 'bbbbbbbbbbbbbbbb';

describe('toSteps', () => {
  it('orders by time and places each step on the axis of the whole run', () => {
    const { steps, total } = toSteps([event(9, null, { erste_zeichen_ms: 250 }), event(0, null)]);
    expect(total).toBe(10_000);
    expect(
      steps.map(({ number, offset, width, firstCharacters }) => [number, offset, width, firstCharacters]),
    ).toEqual([
      [1, 0, 0.1, null],
      [2, 0.9, 0.1, 0.25],
    ]);
  });

  it('counts alike calls wherever they stand, and takes calls without fingerprints for unlike', () => {
    const { steps } = toSteps([event(0, a), event(1, null), event(2, a), event(3, null)]);
    expect(steps.map((step) => step.alike)).toEqual([2, 1, 2, 1]);
  });

  it('copes with a run without events and without latencies', () => {
    expect(toSteps([]).steps).toEqual([]);
    expect(toSteps([event(0, null, { latenz_ms: null })]).steps[0]).toMatchObject({ offset: 0, width: 0 });
  });
});

describe('foldRepeats', () => {
  it('folds three alike calls in a row and keeps every step once', () => {
    const { steps } = toSteps([event(0, b), event(1, a), event(2, a), event(3, a), event(4, b), event(5, b)]);
    const items = foldRepeats(steps);
    expect(items.map((item) => (item.kind === 'step' ? 1 : item.steps.length))).toEqual([1, 3, 1, 1]);
  });

  it('never folds calls without fingerprints', () => {
    const { steps } = toSteps([event(0, null), event(1, null), event(2, null)]);
    expect(foldRepeats(steps)).toHaveLength(3);
  });
});

describe('worstRepeats', () => {
  it('finds a loop of two alternating calls', () => {
    const { steps } = toSteps([event(0, a), event(1, b), event(2, a), event(3, b), event(4, a)]);
    expect(worstRepeats(steps).map((step) => step.number)).toEqual([1, 3, 5]);
  });

  it('is silent about two alike calls', () => {
    expect(worstRepeats(toSteps([event(0, a), event(1, a)]).steps)).toEqual([]);
  });
});
