import { useState } from 'react';

const fields = ['input:not([type="hidden"])', 'select', 'textarea']
  .map((field) => `${field}:not(:disabled)`)
  .join();

/**
 * What has the focus now, as far as it will still be there: for an entry of a menu, which goes with it, the button of
 * the menu.
 */
function focusedNow(): HTMLElement | null {
  const menu = document.activeElement?.closest('[role="menu"]');
  const place = menu
    ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
    : document.activeElement;
  return place instanceof HTMLElement && place !== document.body ? place : null;
}

/** The heading of the page: where one is when the place one came from is gone. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1, h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

/** Keeps the focus from falling to nowhere when what has it is removed, as a row is once its deletion shows. */
function headingOnceGone(place: HTMLElement): void {
  const observer = new MutationObserver(() => {
    if (place.isConnected && document.activeElement === place) return;
    observer.disconnect();
    if (!place.isConnected && document.activeElement === document.body) focusHeading();
  });
  observer.observe(document.body, { childList: true, subtree: true });
}

/** Gives the focus back; to the heading of the page where the place is gone or takes no focus any more. */
function returnFocus(place: HTMLElement | null): void {
  place?.focus();
  if (place && document.activeElement === place) headingOnceGone(place);
  else focusHeading();
}

/**
 * Where the focus goes as a dialog opens and closes, for the content of the dialog; the component is there as long as
 * the dialog is open. Opening: the first field, else the first of the actions (`data-actions`), which does the least
 * harm, else what stands first. Closing: back to what had it before.
 */
export function useDialogFocus() {
  // Asked for while rendering: a field with `autoFocus` takes the focus before any effect could look.
  const [before] = useState(focusedNow);
  return {
    onOpenAutoFocus: (event: Event) => {
      const content = event.currentTarget instanceof HTMLElement ? event.currentTarget : null;
      const first =
        content?.querySelector<HTMLElement>(fields) ??
        content?.querySelector<HTMLElement>('[data-actions] button:not(:disabled)');
      if (!first) return;
      event.preventDefault();
      first.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      returnFocus(before);
    },
  };
}
