/** The way to more rows is pressed where it stood, though what comes above it moves it away meanwhile. */
import { fireEvent } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { screen, show } from '../../test/open.tsx';
import { MoreRows } from './more-rows.tsx';

/** The button, which stands at this height; and what it asks for. */
async function showAt(height: number) {
  const fetchNextPage = vi.fn();
  const pages = { hasNextPage: true, isFetchingNextPage: false, fetchNextPage };
  await show(<MoreRows pages={pages} count={50} />);
  const button = screen.getByRole('button', { name: 'Mehr laden' });
  const moveTo = (top: number) =>
    vi.spyOn(button, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, top, 100, 32));
  moveTo(height);
  return { button, moveTo, fetchNextPage };
}
const at = (clientX: number, clientY: number) => ({
  clientX,
  clientY,
  bubbles: true,
  isPrimary: true,
});

test('a press counts though the button moves away under the pointer', async () => {
  const { button, moveTo, fetchNextPage } = await showAt(500);
  fireEvent.pointerDown(button, at(120, 510));
  moveTo(800);
  fireEvent.pointerUp(document.body, at(122, 510));
  expect(fetchNextPage).toHaveBeenCalledOnce();
  // The press is over.
  fireEvent.pointerUp(document.body, at(122, 510));
  expect(fetchNextPage).toHaveBeenCalledOnce();
});

test('one on a button that stands is the click that the browser sees', async () => {
  const { button, fetchNextPage } = await showAt(500);
  fireEvent.pointerDown(button, at(120, 510));
  fireEvent.pointerUp(button, at(120, 510));
  expect(fetchNextPage).not.toHaveBeenCalled();
  fireEvent.click(button);
  expect(fetchNextPage).toHaveBeenCalledOnce();
});

test('a pointer that is moved away takes the press back, and so does one that is cancelled', async () => {
  const { button, moveTo, fetchNextPage } = await showAt(500);
  fireEvent.pointerDown(button, at(120, 510));
  fireEvent.pointerUp(document.body, at(120, 700));
  fireEvent.pointerDown(button, at(120, 510));
  fireEvent.pointerCancel(document.body, at(120, 510));
  moveTo(800);
  fireEvent.pointerUp(document.body, at(120, 510));
  expect(fetchNextPage).not.toHaveBeenCalled();
});

test('another button of the mouse, or a second finger, presses nothing', async () => {
  const { button, moveTo, fetchNextPage } = await showAt(500);
  for (const other of [
    { button: 2, isPrimary: true },
    { button: 0, isPrimary: false },
  ]) {
    moveTo(500);
    fireEvent.pointerDown(button, { ...at(120, 510), ...other });
    moveTo(800);
    fireEvent.pointerUp(document.body, at(120, 510));
  }
  expect(fetchNextPage).not.toHaveBeenCalled();
});
