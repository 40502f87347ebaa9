import type { PointerEvent } from 'react';

/** A finger or mouse that goes farther than this in between meant to do something else. */
const STILL_PX = 8;

function contains(element: Element, { clientX, clientY }: { clientX: number; clientY: number }): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return clientX >= left && clientX < right && clientY >= top && clientY < bottom;
}

/**
 * For a button that stands below what is still coming: it may move away between the pointer going down on it and up again, and the browser
 * then sees no click, though nobody moved. Such a press counts; a pointer that was moved away takes it back, as everywhere.
 */
export const onSteadyPress =
  (onPress: () => void) =>
  (down: PointerEvent): void => {
    if (down.button !== 0 || !down.isPrimary) return;
    const { clientX, clientY, currentTarget: button } = down;
    const end = new AbortController();
    const up = (event: globalThis.PointerEvent) => {
      end.abort();
      const isStill = Math.hypot(event.clientX - clientX, event.clientY - clientY) <= STILL_PX;
      // Where the button is still below it, the browser sees a click.
      if (event.type === 'pointerup' && isStill && !contains(button, event)) onPress();
    };
    for (const name of ['pointerup', 'pointercancel'] as const)
      window.addEventListener(name, up, { signal: end.signal });
  };
