/** A list of any length: only what is near the window is in the page. */
import { fireEvent, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { screen, show } from '../../test/open.tsx';
import { LongList } from './long-list.tsx';

const LINE = 33;
const items = Array.from({ length: 1_400 }, (_, at) => at + 1);

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(LINE);
});

const list = (
  <LongList items={items} keyOf={String} estimate={LINE}>
    {(item) => <button type="button">Schritt {item}</button>}
  </LongList>
);
const places = () =>
  screen.getAllByRole('listitem').map((line) => Number(line.getAttribute('aria-posinset')));

/** As a browser does when somebody scrolls. */
function scrollTo(y: number): void {
  window.scrollTo(0, y);
  fireEvent.scroll(window);
}

test('of 1,400 lines those near the window are there, each with its place; the last is reached', async () => {
  await show(list);
  expect(screen.getAllByRole('listitem')[0]?.getAttribute('aria-setsize')).toBe('1400');
  expect(places()[0]).toBe(1);
  expect(places().length).toBeLessThan(80);
  scrollTo(1_400 * LINE);
  await waitFor(() => expect(places().at(-1)).toBe(1_400));
  expect(places().length).toBeLessThan(80);
  scrollTo(0);
  await waitFor(() => expect(places()[0]).toBe(1));
});

test('the line with the focus stays, however far one scrolls', async () => {
  await show(list);
  screen.getByRole('button', { name: 'Schritt 2' }).focus();
  scrollTo(1_000 * LINE);
  await waitFor(() => expect(places()).toContain(1_000));
  expect(places()[0]).toBe(2);
  expect(document.activeElement?.textContent).toBe('Schritt 2');
  scrollTo(0);
});
