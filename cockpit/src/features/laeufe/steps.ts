/**
 * The steps of a run in time: where each stands on the common axis, and which of them repeat one another.
 * Two calls are alike when prompt and tool fingerprints are the same and at least one of them is known.
 */
import type { Ereignis } from '../../api/types.ts';
import type { Marked } from './marked.ts';

/** A step with its place on the axis, both as parts of the whole run (0 to 1). */
export interface Step {
  event: Ereignis;
  /** The number it was sent with, else its position in the run. */
  number: number;
  offset: number;
  width: number;
  /** Part of `width` that passed until the first characters came; null when unknown. */
  firstCharacters: number | null;
  /** How many calls of the run are alike, this one included; 1 when none is. */
  alike: number;
}

/** One step, or several alike ones in a row. */
export type Item = { kind: 'step'; step: Step } | { kind: 'repeats'; steps: Step[] };

/** This many alike calls in a row are drawn as one line. */
const repeatsFrom = 3;

const startOf = (event: Ereignis) => new Date(event.zeitpunkt).getTime();
const endOf = (event: Ereignis) => startOf(event) + (event.latenz_ms ?? 0);

/** What makes calls alike; null when the call carries no fingerprint. */
function likenessOf(event: Ereignis): string | null {
  const { prompt_fingerabdruck, werkzeug_fingerabdruck } = event;
  if (prompt_fingerabdruck === null && werkzeug_fingerabdruck === null) return null;
  return `${prompt_fingerabdruck}/${werkzeug_fingerabdruck}`;
}

function countAlike(events: Ereignis[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const event of events) {
    const likeness = likenessOf(event);
    if (likeness !== null) counts.set(likeness, (counts.get(likeness) ?? 0) + 1);
  }
  return counts;
}

const byTime = (a: Ereignis, b: Ereignis) =>
  startOf(a) - startOf(b) || (a.schritt_nr ?? 0) - (b.schritt_nr ?? 0);

/** Places the events on the axis, in order of time. `total` is the length of the run in milliseconds. */
export function toSteps(events: Ereignis[]): { steps: Step[]; total: number } {
  const ordered = [...events].sort(byTime);
  const begin = ordered[0] ? startOf(ordered[0]) : 0;
  const total = Math.max(1, ...ordered.map((event) => endOf(event) - begin));
  const alike = countAlike(ordered);
  const steps = ordered.map((event, index): Step => {
    const { latenz_ms: latency, erste_zeichen_ms: first } = event;
    const likeness = likenessOf(event);
    return {
      event,
      number: event.schritt_nr ?? index + 1,
      offset: (startOf(event) - begin) / total,
      width: (latency ?? 0) / total,
      firstCharacters: first === null || !latency ? null : Math.min(1, first / latency),
      alike: likeness === null ? 1 : (alike.get(likeness) ?? 1),
    };
  });
  return { steps, total };
}

/** Folds alike calls in a row into one item each. */
export function foldRepeats(steps: Step[]): Item[] {
  const items: Item[] = [];
  let run: Step[] = [];
  const close = () => {
    if (run.length >= repeatsFrom) items.push({ kind: 'repeats', steps: run });
    else items.push(...run.map((step): Item => ({ kind: 'step', step })));
    run = [];
  };
  for (const step of steps) {
    const last = run.at(-1);
    const likeness = likenessOf(step.event);
    if (last && (likeness === null || likeness !== likenessOf(last.event))) close();
    run.push(step);
  }
  close();
  return items;
}

/** A line of the list: an item, or a step of an item that is open. `key` is its own in the run. */
export type StepLine =
  | { kind: 'step'; key: string; step: Step; folded: boolean }
  | { kind: 'repeats'; key: string; steps: Step[] };

const lineOf = (step: Step, folded: boolean): StepLine => ({
  kind: 'step',
  key: step.event.ereignis_id,
  step,
  folded,
});

/** The lines of the list, those of open repeats behind the one that stands for them. */
export function toLines(items: Item[], open: ReadonlySet<string>): StepLine[] {
  return items.flatMap((item) => {
    if (item.kind === 'step') return [lineOf(item.step, false)];
    const key = `${item.steps[0]?.event.ereignis_id} ×`;
    const inner = open.has(key) ? item.steps.map((step) => lineOf(step, true)) : [];
    return [{ kind: 'repeats' as const, key, steps: item.steps }, ...inner];
  });
}

/** Whether the line stands for a step that is marked. */
export function isMarkedLine(line: StepLine, marked: Marked | undefined): boolean {
  if (marked === undefined) return false;
  return line.kind === 'step' ? marked(line.step.number) : line.steps.some(({ number }) => marked(number));
}

/** The steps of the most frequent likeness, when it occurs often enough to look like a loop; else none. */
export function worstRepeats(steps: Step[]): Step[] {
  const most = steps.reduce((best, step) => Math.max(best, step.alike), 1);
  if (most < repeatsFrom) return [];
  const likeness = likenessOf(steps.find((step) => step.alike === most)!.event);
  return steps.filter((step) => likenessOf(step.event) === likeness);
}
