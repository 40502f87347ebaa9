/** What is around every page: places, languages, search, help, the way out, and what is said while the service does not answer. */
import { waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answerOf } from '../../test/examples.ts';
import { focused, openAt, screen } from '../../test/open.tsx';
import { signedIn } from '../../test/people.ts';
import { refused } from '../../test/service.ts';
import type { Ich } from '../api/types.ts';

const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const menu = (name: RegExp) => screen.getByRole('button', { name });

test('the language changes at once, and is kept for the user', async () => {
  const { user, sent } = await openAt('/agenten', {
    answers: { profilAendern: ({ body }) => signedIn(body as Partial<Ich['benutzer']>) },
  });
  await title('Agenten');
  await user.click(menu(/^Konto/));
  await user.click(await screen.findByRole('menuitemradio', { name: 'English' }));
  await title('Agents');
  expect(document.documentElement.lang).toBe('en');
  await user.click(menu(/^Account/));
  await user.click(await screen.findByRole('menuitemradio', { name: 'Deutsch' }));
  await title('Agenten');
  expect(sent('profilAendern')).toEqual([{ sprache: 'en' }, { sprache: 'de' }]);
});

test('the browser’s language, and no other, speaks before anybody has chosen', async () => {
  await openAt('/anmelden', { language: 'en' });
  await title('Sign in');
  expect(document.documentElement.lang).toBe('en');
});

test('who signs out is at the login', async () => {
  const { user, sent, address } = await openAt('/agenten');
  await title('Agenten');
  await user.click(menu(/^Konto/));
  await user.click(await screen.findByRole('menuitem', { name: 'Abmelden' }));
  await title('Anmelden');
  expect(sent('abmelden')).toHaveLength(1);
  expect(address()).toBe('/anmelden');
});

test('who is not signed in comes back to where they were', async () => {
  let isIn = false;
  const { user, address } = await openAt('/laeufe?zeitraum=heute', {
    answers: {
      ich: () => (isIn ? signedIn() : refused(401, 'nicht_angemeldet')),
      anmelden: () => {
        isIn = true;
        return signedIn();
      },
    },
  });
  await title('Anmelden');
  expect(focused()).toBe(screen.getByLabelText('E-Mail'));
  await user.keyboard('anna@example.org{Tab}');
  expect(focused()).toBe(screen.getByLabelText('Passwort'));
  await user.keyboard('ein-langes-passwort{Enter}');
  await title('Läufe');
  expect(address()).toBe('/laeufe?zeitraum=heute');
});

test('a session that ends leads to the login, from wherever one is', async () => {
  const { address } = await openAt('/agenten', {
    answers: { cockpitAgenten: refused(401, 'nicht_angemeldet') },
  });
  await title('Anmelden');
  expect(address()).toMatch(/^\/anmelden/);
});

test('the focus comes back from help and search, however they are left', async () => {
  const { user } = await openAt('/agenten');
  const [agent] = answerOf('cockpitAgenten').agenten;
  const link = await screen.findByRole('link', { name: new RegExp(`^${agent!.name}`) });
  link.focus();
  await user.keyboard('?');
  const help = await screen.findByRole('dialog');
  expect(within(help).getByRole('checkbox')).toBe(focused());
  await user.keyboard('{Escape}');
  await waitFor(() => expect(focused()).toBe(link));
  await user.keyboard('{Control>}k{/Control}');
  await screen.findByRole('combobox', { name: 'Suchen und Befehle' });
  await user.keyboard('{Escape}');
  await waitFor(() => expect(focused()).toBe(link));
  await user.click(menu(/^Suchen/));
  await screen.findByRole('combobox', { name: 'Suchen und Befehle' });
  await user.keyboard('{Control>}k{/Control}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(focused()).toBe(menu(/^Suchen/));
});

test('the search leads to a page, and the focus to its content', async () => {
  const { user } = await openAt('/agenten');
  await title('Agenten');
  await user.keyboard('{Control>}k{/Control}');
  await user.type(await screen.findByRole('combobox'), 'Abrechnungsmonate');
  await user.keyboard('{Enter}');
  await title('Abrechnungsmonate');
  await waitFor(() => expect(focused()?.id).toBe('inhalt'));
});

test('keys go through the rows and to the search of the list', async () => {
  const {
    agenten: [first],
  } = answerOf('cockpitAgenten');
  const agenten = ['a', 'b'].map((name) => ({
    ...first!,
    agent_id: first!.agent_id.replace(/.$/, name === 'a' ? '1' : '2'),
    name,
    schluessel: name,
  }));
  const { user } = await openAt('/agenten', {
    answers: { cockpitAgenten: answerOf('cockpitAgenten', { agenten }) },
  });
  await screen.findByRole('link', { name: 'b' });
  await user.keyboard('j');
  expect(focused()?.textContent).toBe('a');
  await user.keyboard('j');
  expect(focused()?.textContent).toBe('b');
  await user.keyboard('k');
  expect(focused()?.textContent).toBe('a');
  await user.keyboard('/');
  expect(focused()).toBe(screen.getByRole('searchbox', { name: 'Agent suchen' }));
});

test('places are those one may go to', async () => {
  await openAt('/agenten', { ich: signedIn({ rolle: 'betrachter' }) });
  await title('Agenten');
  const places = within(screen.getByRole('navigation', { name: 'Hauptnavigation' }));
  for (const name of ['Endkunden', 'Abgleich']) expect(places.queryByRole('link', { name })).toBeNull();
  places.getByRole('link', { name: 'Läufe' });
});

test('on a phone the user menu has the places that the row at the bottom has no room for', async () => {
  const { user } = await openAt('/agenten');
  await title('Agenten');
  await user.click(menu(/^Konto/));
  for (const name of ['Abgleich', 'Preise', 'Anbindung'])
    expect((await screen.findByRole('menuitem', { name })).className).toContain('md:hidden');
  await user.click(screen.getByRole('menuitem', { name: 'Preise' }));
  await title('Preise');
});

test('operators have a way to their pages, others none', async () => {
  const operator = await openAt('/agenten', { ich: signedIn({ betreiber: true }) });
  await title('Agenten');
  await operator.user.click(menu(/^Konto/));
  await operator.user.click(await screen.findByRole('menuitem', { name: 'Betreiber-Bereich' }));
  await title('Übersicht');
  expect(operator.address()).toBe('/betreiber');
});

test('the page says to other users that they are no operators', async () => {
  const { user } = await openAt('/betreiber/mandanten');
  await title('Nur für Betreiber');
  await user.click(screen.getByRole('link', { name: 'Zur Übersicht' }));
  await title('Übersicht');
  await user.click(menu(/^Konto/));
  await screen.findByRole('menuitem', { name: 'Einstellungen' });
  expect(screen.queryByRole('menuitem', { name: 'Betreiber-Bereich' })).toBeNull();
});

test('an address that is not confirmed is said, and the link sent again', async () => {
  const ich = signedIn({ email_bestaetigt: false });
  const { user, sent } = await openAt('/agenten', { ich });
  await user.click(await screen.findByRole('button', { name: 'Noch einmal senden' }));
  await screen.findByText(/Die Mail an anna@example.org mit einem neuen Link ist in der Warteschlange\./);
  expect(sent('emailBestaetigungSenden')).toHaveLength(1);
});

test('without a mail server it says where the link is', async () => {
  const ich = { ...signedIn({ email_bestaetigt: false }), mailweg: 'log' as const };
  const { user } = await openAt('/agenten', { ich });
  await screen.findByText(/npm run betreiber -- link bestaetigung anna@example.org/);
  await user.click(screen.getByRole('button', { name: 'Neuen Link ins Log schreiben' }));
  await screen.findByText(/Ein neuer Link für anna@example.org kommt in das Log des Dienstes\./);
});

test('the page says that a service does not answer, and no page stands under the address of another', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const [clock, date] = [performance.now(), Date.now()];
  vi.spyOn(performance, 'now').mockImplementation(() => clock + Date.now() - date);
  const held = Promise.withResolvers<void>();
  const { user, address } = await openAt('/agenten', {
    answers: {
      cockpitLaeufe: async () => {
        await held.promise;
        return answerOf('cockpitLaeufe');
      },
    },
  });
  await title('Agenten');
  await user.click(screen.getByRole('link', { name: 'Läufe' }));
  await waitFor(() => expect(address()).toMatch(/^\/laeufe/));
  await waitFor(() => expect(screen.queryByRole('heading', { level: 1, name: 'Agenten' })).toBeNull());
  await vi.advanceTimersByTimeAsync(5_000);
  await screen.findByText(/^Der Dienst antwortet nicht\./);
  held.resolve();
  await waitFor(() => expect(screen.queryByText(/^Der Dienst antwortet nicht\./)).toBeNull());
  await title('Läufe');
});
