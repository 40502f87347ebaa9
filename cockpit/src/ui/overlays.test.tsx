/** What opens from a button, and what moves the focus: by key and by pointer. */
import { waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { focused, screen, show } from '../../test/open.tsx';
import { loadOverlaysAtFirstSign } from './load-overlays.ts';
import { Menu, MenuItem } from './menu.tsx';
import { Segmented } from './segmented.tsx';
import { Term } from './term.tsx';

const showMenu = () => {
  const chosen = vi.fn();
  return show(
    <main>
      <Menu label="Mehr" trigger={<button type="button">Mehr</button>}>
        <MenuItem onSelect={chosen}>Ändern</MenuItem>
        <MenuItem onSelect={chosen}>Entfernen</MenuItem>
      </Menu>
      <button type="button">Daneben</button>
    </main>,
  ).then((shown) => ({ ...shown, chosen }));
};
const button = (name: string) => screen.getByRole('button', { name });
const gone = (role: 'menu' | 'dialog') => waitFor(() => expect(screen.queryByRole(role)).toBeNull());

test.each(['{Enter}', ' ', '{ArrowDown}'])(
  'a menu opened by key (%j) begins at its first entry',
  async (key) => {
    const { user, chosen } = await showMenu();
    expect(button('Mehr').getAttribute('aria-haspopup')).toBe('menu');
    button('Mehr').focus();
    await user.keyboard(key);
    const menu = await screen.findByRole('menu', { name: 'Mehr' });
    expect(menu.closest('main')).not.toBeNull();
    await waitFor(() => expect(focused()?.textContent).toBe('Ändern'));
    await user.keyboard('{ArrowDown}');
    await waitFor(() => expect(focused()?.textContent).toBe('Entfernen'));
    await user.keyboard('{Enter}');
    expect(chosen).toHaveBeenCalledOnce();
    await gone('menu');
    await waitFor(() => expect(focused()).toBe(button('Mehr')));
  },
);

test('a menu opened by pointer begins at none, and closes by its button, by Escape and by a press elsewhere', async () => {
  const { user } = await showMenu();
  const open = async () => {
    await user.click(button('Mehr'));
    await waitFor(() => expect(focused()).toBe(screen.getByRole('menu')));
    expect(button('Mehr').getAttribute('aria-expanded')).toBe('true');
    expect(button('Mehr').getAttribute('aria-controls')).toBe(screen.getByRole('menu').id);
  };
  await open();
  await user.click(button('Mehr'));
  await gone('menu');
  await open();
  await user.keyboard('{Escape}');
  await gone('menu');
  await waitFor(() => expect(focused()).toBe(button('Mehr')));
  await open();
  await user.click(button('Daneben'));
  await gone('menu');
  expect(focused()).toBe(button('Daneben'));
  expect(button('Mehr').getAttribute('aria-expanded')).toBe('false');
});

test('an explanation closes by its button, by Escape and by its cross, and gives the focus back', async () => {
  const { user } = await show(<Term of="ersatzkurs" />);
  const ask = button('Was heißt „Ersatzkurs“?');
  const open = async () => {
    await user.click(ask);
    expect((await screen.findByRole('dialog', { name: 'Ersatzkurs' })).textContent).toContain('Dollar');
  };
  await open();
  await user.click(ask);
  await gone('dialog');
  await open();
  await user.keyboard('{Escape}');
  await gone('dialog');
  await waitFor(() => expect(focused()).toBe(ask));
  await open();
  await user.click(button('Schließen'));
  await gone('dialog');
  await waitFor(() => expect(focused()).toBe(ask));
});

function Views() {
  const [value, setValue] = useState<'a' | 'b' | 'c'>('a');
  const options = (['a', 'b', 'c'] as const).map((each) => ({ value: each, label: each }));
  return <Segmented label="Ansicht" value={value} options={options} onChange={setValue} />;
}

test('one stop of the Tab key among views; arrows move the focus around, Enter chooses', async () => {
  const { user } = await show(
    <>
      <button type="button">Davor</button>
      <Views />
      <button type="button">Danach</button>
    </>,
  );
  const checked = () => screen.getByRole('radio', { checked: true }).textContent;
  button('Davor').focus();
  await user.tab();
  expect(focused()?.textContent).toBe('a');
  await user.keyboard('{ArrowLeft}');
  expect(focused()?.textContent).toBe('c');
  await user.keyboard('{Home}{ArrowDown}');
  expect(focused()?.textContent).toBe('b');
  expect(checked()).toBe('a');
  await user.keyboard('{Enter}');
  expect(checked()).toBe('b');
  await user.tab();
  expect(focused()).toBe(button('Danach'));
});

test('the first sign of a hand is waited for once', () => {
  const add = vi.spyOn(document, 'addEventListener');
  loadOverlaysAtFirstSign();
  const signals = add.mock.calls.map(([, , options]) => Object(options).signal);
  const ended = () => signals.map((signal) => signal instanceof AbortSignal && signal.aborted);
  const move = (screenX: number) => document.dispatchEvent(new MouseEvent('pointermove', { screenX }));
  move(7);
  // A pointer that rests.
  move(7);
  expect(ended()).toEqual([false, false, false]);
  move(8);
  expect(ended()).toEqual([true, true, true]);
});
