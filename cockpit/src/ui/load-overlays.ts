/** Menus, dialogs and explanations: nobody needs them to look at a page, everybody who does something does. */

/** Loads what lies above pages; once. */
export const loadOverlays = () => import('./overlays.ts');

const signs = ['pointermove', 'pointerdown', 'keydown'] as const;

/** Has them come at the first sign of a hand, lest the first press waits for them. */
export function loadOverlaysAtFirstSign(): void {
  const sign = new AbortController();
  const load = () => {
    sign.abort();
    // What has not come now comes when it is needed.
    loadOverlays().catch(() => undefined);
  };
  for (const type of signs) document.addEventListener(type, load, { signal: sign.signal, passive: true });
}
