/** Menus, dialogs and explanations: nobody needs them to look at a page, everybody who does something does. */
import { persistently } from '../api/persistently.ts';

const load = () => import('./overlays.ts');

/** Loads what lies above pages, unless it is there. */
export const loadOverlays = () => persistently(load);

const signs = ['pointermove', 'pointerdown', 'keydown'] as const;

/** Has them come at the first sign of a hand, lest the first press waits for them. */
export function loadOverlaysAtFirstSign(): void {
  const sign = new AbortController();
  let place: string | undefined;
  const onSign = (event: Event) => {
    if (event.type === 'pointermove' && event instanceof MouseEvent) {
      // Browsers tell a pointer that rests that the page has moved below it.
      const before = place;
      place = `${event.screenX} ${event.screenY}`;
      if (before === undefined || before === place) return;
    }
    sign.abort();
    // Where it fails, the press that needs them says so.
    load().catch(() => undefined);
  };
  for (const type of signs) document.addEventListener(type, onSign, { signal: sign.signal, passive: true });
}
