import { useEffect, useRef, useState } from 'react';

/** How long nobody types before what was typed counts, in milliseconds. */
const pauseMs = 250;

interface Pending {
  text: string;
  timer: ReturnType<typeof setTimeout>;
}

function drop(pending: { current: Pending | null }): void {
  clearTimeout(pending.current?.timer);
  pending.current = null;
}

/**
 * The text of a field whose every change would cost something (a request, an address): it shows at once what is typed
 * and hands it on after a pause, or when `settle` is called. A `value` that changes otherwise, as by a reset, wins.
 */
export function useTyped(value: string, onSettled: (text: string) => void) {
  const [text, setText] = useState(value);
  const known = useRef(value);
  const pending = useRef<Pending>(null);
  const latest = useRef(onSettled);
  const settle = () => {
    if (!pending.current) return;
    known.current = pending.current.text;
    drop(pending);
    latest.current(known.current);
  };
  const type = (next: string) => {
    setText(next);
    drop(pending);
    pending.current = { text: next, timer: setTimeout(settle, pauseMs) };
    // An emptied field is meant.
    if (next === '') settle();
  };
  useEffect(() => {
    latest.current = onSettled;
  });
  useEffect(() => {
    if (value === known.current) return;
    known.current = value;
    drop(pending);
    setText(value);
  }, [value]);
  useEffect(() => () => drop(pending), []);
  return { text, type, settle };
}
