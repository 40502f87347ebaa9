/** Views that are kept under a name: opened as they were, overwritten, renamed, removed, found by the search. */
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import { type Answers, type Asked, refused } from '../../../test/service.ts';
import type { Ansicht } from '../../api/types.ts';

const [example] = answerOf('ansichten').ansichten as [Ansicht];
const viewOf = (number: number, name: string, pfad: string, suche: string): Ansicht => ({
  ...example,
  ansicht_id: example.ansicht_id.replace(/1$/, String(number)),
  name,
  pfad,
  suche,
});

/** A service that keeps views; of a name that is taken it says so. */
function keeping(...kept: Ansicht[]): Answers {
  let views = kept;
  const isTaken = (name: unknown, id?: string) =>
    views.some((view) => view.name === name && view.ansicht_id !== id);
  return {
    ansichten: () => ({ ansichten: views }),
    ansichtAnlegen: ({ body }) => {
      const { name, pfad, suche } = body as Ansicht;
      if (isTaken(name)) return refused(409, 'ansicht_name_vergeben', '');
      views = [...views, viewOf(views.length + 1, name, pfad, suche)];
      return views.at(-1)!;
    },
    ansichtAendern: ({ params, body }: Asked) => {
      if (isTaken((body as Ansicht).name, params.ansicht_id))
        return refused(409, 'ansicht_name_vergeben', '');
      views = views.map((view) =>
        view.ansicht_id === params.ansicht_id ? { ...view, ...(body as Ansicht) } : view,
      );
      return views.find((view) => view.ansicht_id === params.ansicht_id)!;
    },
    ansichtEntfernen: ({ params }) => {
      views = views.filter((view) => view.ansicht_id !== params.ansicht_id);
      return answerOf('ansichtEntfernen');
    },
  };
}

const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const menu = async (user: Awaited<ReturnType<typeof openAt>>['user']) => {
  await user.click(await screen.findByRole('button', { name: 'Ansichten' }));
  return within(await screen.findByRole('menu', { name: 'Ansichten' }));
};

test('a view is opened as it was kept, with nothing of the page before', async () => {
  const { user, address } = await openAt('/aufschluesselung?zeitraum=heute&nach=modell&endkunde=kunde-a', {
    answers: keeping(viewOf(1, 'Alles', '/', '')),
  });
  await user.click(await (await menu(user)).findByRole('menuitemradio', { name: 'Alles' }));
  await title('Übersicht');
  expect(address()).toBe('/');
  const again = await menu(user);
  expect((await again.findByRole('menuitemradio', { name: 'Alles' })).getAttribute('aria-checked')).toBe(
    'true',
  );
});

test('the name of a view overwrites it, which is said before; so is one that was kept elsewhere meanwhile', async () => {
  const answers = keeping(viewOf(1, 'Montag', '/', 'zeitraum=heute'));
  const { user, sent } = await openAt('/agenten?zeitraum=30tage', {
    answers: { ...answers, ansichtAnlegen: refused(409, 'ansicht_name_vergeben', '') },
  });
  await title('Agenten');
  await user.click(await (await menu(user)).findByRole('menuitem', { name: 'Ansicht speichern …' }));
  await user.type(await screen.findByLabelText('Name'), ' Montag ');
  screen.getByText('„Montag“ zeigt danach, was gerade zu sehen ist.');
  await user.click(screen.getByRole('button', { name: 'Überschreiben' }));
  await screen.findByText('„Montag“ ist gespeichert.');
  expect(sent('ansichtAendern')).toMatchObject([{ pfad: '/agenten', suche: 'zeitraum=30tage' }]);
  await user.click(await (await menu(user)).findByRole('menuitem', { name: 'Ansicht speichern …' }));
  await user.type(await screen.findByLabelText('Name'), 'Dienstag');
  await user.click(screen.getByRole('button', { name: 'Speichern' }));
  await screen.findAllByText('Eine Ihrer Ansichten hat schon diesen Namen.');
});

test('views are renamed and removed in their list, and opened from there', async () => {
  const { user, address } = await openAt('/laeufe', {
    answers: keeping(viewOf(1, 'eins', '/', 'zeitraum=heute'), viewOf(2, 'zwei', '/', 'zeitraum=heute')),
  });
  await title('Läufe');
  await user.click(await (await menu(user)).findByRole('menuitem', { name: 'Ansichten verwalten …' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'eins umbenennen' }));
  const name = dialog.getByLabelText('Name');
  await user.clear(name);
  await user.type(name, 'zwei{Enter}');
  await dialog.findByText('Eine Ihrer Ansichten hat schon diesen Namen.');
  await user.clear(name);
  await user.type(name, 'drei{Enter}');
  await dialog.findByRole('button', { name: 'drei umbenennen' });
  await user.click(dialog.getByRole('button', { name: 'zwei entfernen' }));
  dialog.getByText('„zwei“ entfernen?');
  await user.click(dialog.getByRole('button', { name: 'Entfernen' }));
  await waitFor(() => expect(dialog.getAllByRole('listitem')).toHaveLength(1));
  await user.click(dialog.getByRole('button', { name: 'drei' }));
  await title('Übersicht');
  expect(address()).toBe('/?zeitraum=heute');
});

test('the search finds a view by its name', async () => {
  const { user, address } = await openAt('/anbindung', {
    answers: keeping(viewOf(1, 'Teuerste Läufe', '/laeufe', 'zeitraum=30tage&sortierung=kosten')),
  });
  await title('Anbindung');
  await user.keyboard('{Control>}k{/Control}');
  const search = within(await screen.findByRole('dialog'));
  await user.type(await search.findByRole('combobox'), 'teuer läuf');
  await screen.findByRole('option', { name: /^Teuerste Läufe/ });
  await user.keyboard('{Enter}');
  await title('Läufe');
  expect(address()).toBe('/laeufe?zeitraum=30tage&sortierung=kosten');
});
