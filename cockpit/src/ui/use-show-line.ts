import { type RefObject, useEffect, useRef } from 'react';

const pauseMs = 100;
const tries = 15;
/** A user who does one of these looks for themselves. */
const ownWays = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;

/**
 * Brings a line of a long list into the middle of the window, once. How high the lines before it are, and what comes above the
 * list, shows only little by little: it is sought again until that has settled, or the reader moves.
 */
export function useShowLine(
  list: RefObject<HTMLElement | null>,
  index: number | undefined,
  scrollNear: (index: number) => void,
): void {
  const near = useRef(scrollNear);
  near.current = scrollNear;
  useEffect(() => {
    if (index === undefined) return;
    let left = tries;
    const show = () => {
      const line = list.current?.querySelector(`[data-index="${index}"]`);
      if (line) line.scrollIntoView({ block: 'center' });
      else near.current(index);
      left -= 1;
      if (left === 0) stop();
    };
    const timer = setInterval(show, pauseMs);
    const stop = () => {
      clearInterval(timer);
      for (const way of ownWays) window.removeEventListener(way, stop);
    };
    for (const way of ownWays) window.addEventListener(way, stop, { passive: true });
    return stop;
  }, [list, index]);
}
