/** Every kind of dialog while it is open: axe, and the way back. */
import { waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { violations } from '../../test/axe.ts';
import { openAt, type Seen, screen } from '../../test/open.tsx';

const ID = '0190a000-0000-7000-8000-000000000001';
type Step = (user: Seen['user']) => Promise<void>;

const press =
  (name: string | RegExp): Step =>
  async (user) =>
    user.click((await screen.findAllByRole('button', { name }))[0]!);
const choose =
  (name: string | RegExp): Step =>
  async (user) =>
    user.click(await screen.findByRole('menuitem', { name }));
const type =
  (keys: string): Step =>
  async (user) => {
    await screen.findByRole('heading', { level: 1 });
    await user.keyboard(keys);
  };

const KINDS: [name: string, path: string, ...steps: Step[]][] = [
  ['help', '/agenten', type('?')],
  ['the search', '/agenten', type('{Control>}k{/Control}')],
  ['a period', '/agenten', press(/^Zeitraum: /), choose('Eigener Zeitraum …')],
  ['a filter', '/', press('Filtern')],
  ['a view', '/agenten', press('Ansichten'), choose('Ansicht speichern …')],
  ['the views', '/agenten', press('Ansichten'), choose('Ansichten verwalten …')],
  ['an agent', `/agenten/${ID}`, press('Bearbeiten')],
  ['an intervention', `/agenten/${ID}`, press('Drosseln/Sperren')],
  ['a new key', '/einstellungen/schluessel', press('Neuer Schlüssel')],
  ['the quota of a key', '/einstellungen/schluessel', press(/^Kontingent von /)],
  ['blocking a key', '/einstellungen/schluessel', press(/ sperren$/)],
  ['an invitation', '/einstellungen/benutzer', press('Einladen')],
  ['an invoice', '/abgleich', press('Rechnung erfassen')],
  ['an end customer', '/endkunden', press('Neuer Endkunde')],
  ['end customers out of a CSV', '/endkunden', press('CSV einlesen')],
  ['prices out of a CSV', '/preise?bereich=preise', press('CSV einlesen')],
  ['a discount', '/preise?bereich=rabatte', press('Rabatt hinzufügen')],
  ['an approval', '/preise?bereich=freigaben', press('Modell freigeben')],
];

test.each(KINDS)('%s', async (_name, path, ...steps) => {
  const { user } = await openAt(path);
  for (const step of steps) await step(user);
  const dialog = await screen.findByRole('dialog');
  expect(dialog.contains(document.activeElement)).toBe(true);
  expect(await violations(dialog)).toEqual([]);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  // To where it came from, or the heading where that is gone: never to nowhere.
  await waitFor(() => expect(document.activeElement).not.toBe(document.body));
});
