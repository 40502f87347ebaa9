/** Single keys that do something, as long as nobody is typing. */
import { createContext, useContext, useEffect, useRef } from 'react';

/** Whether single-key shortcuts are on; they can be switched off (WCAG 2.1.4). */
export const ShortcutsContext = createContext(true);

const typing = 'input, textarea, select, [contenteditable], [role="menu"], [role="dialog"], [role="listbox"]';

function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target instanceof Element ? event.target : null;
  if (target?.closest(typing)) return true;
  if (event.key.startsWith('Arrow') && target?.closest('[data-own-keys]')) return true;
  return document.querySelector('[role="dialog"]') !== null;
}

/** Runs the action of a pressed key (lower case: `h`, `?`, `arrowleft`) while the component is there. */
export function useShortcuts(actions: Record<string, () => void>): void {
  const enabled = useContext(ShortcutsContext);
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const action = latest.current[event.key.toLowerCase()];
      if (!action || isTaken(event)) return;
      event.preventDefault();
      action();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [enabled]);
}
