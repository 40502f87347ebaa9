/** Keys that go through the rows of a page, and to its search. */

const rows = 'main tbody tr a[href], main ol li a[href]';
const searches = 'main input[type="search"]';

/** Moves the focus to the link of the next (1) or previous (-1) row; from elsewhere to the first. */
export function moveRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>(rows)].filter((link) =>
    link.checkVisibility(),
  );
  const at = links.indexOf(document.activeElement as HTMLAnchorElement);
  const next = links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

/** Puts the focus into the first search of the page; false where it has none. */
export function focusSearch(): boolean {
  const field = document.querySelector<HTMLInputElement>(searches);
  field?.focus();
  field?.select();
  return field !== null;
}
