import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Part } from './rules.ts';
import { createTimeline, type Timeline } from './timeline.ts';

const part = (status: Part['status'], name: Part['name'] = 'datenbank') => ({ name, status });
const seen = (timeline: Timeline) =>
  timeline.all().map(({ name, status, from, to }) => [name, status, from, to]);

describe('what was seen', () => {
  test('lasts until it was seen otherwise', () => {
    const timeline = createTimeline();
    timeline.note(0, [part('ok')]);
    timeline.note(15_000, [part('ok')]);
    timeline.note(30_000, [part('gestört')]);
    timeline.note(45_000, [part('ok')]);
    expect(seen(timeline)).toEqual([
      ['datenbank', 'ok', 0, 30_000],
      ['datenbank', 'gestört', 30_000, 45_000],
      ['datenbank', 'ok', 45_000, 45_000],
    ]);
    expect(timeline.since('datenbank')).toBe(45_000);
  });

  test('says nothing of a time in which nobody looked', () => {
    const timeline = createTimeline();
    timeline.note(0, [part('ok')]);
    timeline.note(60_000, [part('ok')]);
    timeline.note(120_001, [part('ok')]);
    expect(seen(timeline)).toEqual([
      ['datenbank', 'ok', 0, 60_000],
      ['datenbank', 'ok', 120_001, 120_001],
    ]);
    expect(timeline.since('datenbank')).toBe(0);
  });

  test('says nothing of a part that could not be asked, or is not there any more', () => {
    const timeline = createTimeline();
    timeline.note(0, [part('ok'), part('nicht_eingerichtet', 'mail')]);
    timeline.note(10_000, [part('unbekannt')]);
    timeline.note(20_000, [part('ok')]);
    timeline.note(30_000, []);
    timeline.note(40_000, [part('ok')]);
    expect(seen(timeline)).toEqual([
      ['datenbank', 'ok', 0, 10_000],
      ['datenbank', 'ok', 20_000, 20_000],
      ['datenbank', 'ok', 40_000, 40_000],
    ]);
    expect(timeline.since('mail')).toBeUndefined();
  });
});

describe('what was written', () => {
  test('is forgotten once it is over, and goes on where it is not', () => {
    const timeline = createTimeline();
    timeline.note(0, [part('ok')]);
    timeline.note(10_000, [part('gestört')]);
    const rows = timeline.all().map(({ id, to }) => ({ id, to }));
    // Seen while it was being written.
    timeline.note(20_000, [part('ok')]);
    timeline.noteWritten(rows, () => false);
    expect(seen(timeline)).toEqual([
      ['datenbank', 'gestört', 10_000, 20_000],
      ['datenbank', 'ok', 20_000, 20_000],
    ]);
    expect(timeline.all().map(({ writtenTo }) => writtenTo)).toEqual([10_000, null]);
  });

  test('stays as it is when the clock of the database was set', () => {
    const timeline = createTimeline();
    timeline.note(0, [part('ok')]);
    timeline.note(10_000, [part('ok')]);
    const [first] = timeline.all().map(({ id, to }) => ({ id, to }));
    timeline.noteWritten(first ? [first] : [], () => false);
    timeline.note(20_000, [part('ok')]);
    timeline.split();
    expect(timeline.all()).toMatchObject([{ from: 10_000, to: 20_000, writtenTo: null }]);
    expect(timeline.all()[0]?.id).not.toBe(first?.id);
  });
});

interface Step {
  pause: number;
  status: string;
}

/** How long something was known of the part: pauses after a state that was told, so long as they are short enough. */
const knownTime = (steps: Step[]) =>
  steps
    .slice(1)
    .filter(({ pause }, index) => steps[index]?.status !== 'unbekannt' && pause <= 60_000)
    .reduce((sum, { pause }) => sum + pause, 0);

test('whatever is seen and written when: each moment comes once, and none is lost', () => {
  const step = fc.record({
    pause: fc.integer({ min: 1, max: 80_000 }),
    status: fc.constantFrom('ok', 'eingeschränkt', 'gestört', 'unbekannt'),
    writes: fc.boolean(),
    splits: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const timeline = createTimeline();
      const written = new Map<string, { from: number; to: number }>();
      const write = () => {
        const rows = timeline.all().filter(({ writtenTo, to }) => writtenTo !== to);
        for (const { id, from, to } of rows) written.set(id, { from, to });
        timeline.noteWritten(rows, () => false);
      };
      let now = 0;
      for (const { pause, status, writes, splits } of steps) {
        now += pause;
        timeline.note(now, [part(status as Part['status'])]);
        if (splits) timeline.split();
        if (writes) write();
      }
      write();
      const spans = [...written.values()].sort((a, b) => a.from - b.from);
      expect(spans.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(knownTime(steps));
      for (const [index, { from }] of spans.entries())
        if (index > 0) expect(from).toBeGreaterThanOrEqual(spans[index - 1]?.to ?? 0);
    }),
  );
});
