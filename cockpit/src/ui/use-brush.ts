import { type KeyboardEvent, type PointerEvent, useState } from 'react';

/** Places from one to another, both included, in the order they were chosen in. */
export interface Span {
  from: number;
  to: number;
}

interface Brush {
  count: number;
  /** A single place was chosen. */
  onSelect?: ((index: number) => void) | undefined;
  /** Several in a row were chosen; from the earlier to the later one. */
  onRange?: ((from: number, to: number) => void) | undefined;
}

interface Pressed {
  key: string;
  shift: boolean;
}

/** Where the keys of a slider lead. */
function steppedTo(at: number | null, last: number, key: string): number | null {
  const steps: Record<string, number> = {
    ArrowLeft: (at ?? last + 1) - 1,
    ArrowRight: (at ?? -1) + 1,
    Home: 0,
    End: last,
  };
  const wanted = steps[key];
  return wanted === undefined ? null : Math.min(Math.max(wanted, 0), last);
}

/** The place that is pointed at, the nearest one beside them. */
function indexAt(event: PointerEvent<HTMLElement>, count: number): number {
  const { left, width } = event.currentTarget.getBoundingClientRect();
  const index = Math.floor(((event.clientX - left) / width) * count);
  return Math.min(Math.max(index, 0), count - 1);
}

const isChoice = (key: string) => key === 'Enter' || key === ' ';

/**
 * Choosing among equally wide places in a row by pointer or key. `at` is the place pointed at, `span` what is being
 * chosen by dragging or Shift and arrows. A finger that scrolls the page chooses nothing: the browser takes it away.
 */
export function useBrush({ count, onSelect, onRange }: Brush) {
  const [at, setAt] = useState<number | null>(null);
  const [span, setSpan] = useState<Span | null>(null);
  const choose = ({ from, to }: Span) => {
    if (from === to) onSelect?.(from);
    else onRange?.(Math.min(from, to), Math.max(from, to));
  };
  const clear = () => {
    setSpan(null);
    setAt(null);
  };
  const stepTo = (next: number, shift: boolean) => {
    setAt(next);
    setSpan(shift && onRange ? { from: span?.from ?? at ?? next, to: next } : null);
  };
  const press = ({ key, shift }: Pressed): boolean => {
    const next = steppedTo(at, count - 1, key);
    if (next !== null) stepTo(next, shift);
    else if (isChoice(key) && at !== null) {
      choose(span ?? { from: at, to: at });
      setSpan(null);
    } else if (key === 'Escape' && span) setSpan(null);
    else return false;
    return true;
  };
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const index = indexAt(event, count);
      setSpan({ from: index, to: index });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const index = indexAt(event, count);
      setAt(index);
      if (event.buttons > 0 && span) setSpan({ from: span.from, to: index });
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (!span) return;
      clear();
      choose({ from: span.from, to: indexAt(event, count) });
    },
    onPointerCancel: clear,
    onPointerLeave: (event: PointerEvent<HTMLElement>) => {
      if (event.buttons === 0) clear();
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (press({ key: event.key, shift: event.shiftKey })) event.preventDefault();
    },
    onBlur: clear,
  };
  return { at, span: span && span.from !== span.to && onRange ? span : null, handlers };
}
