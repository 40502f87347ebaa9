/** The price book: who is too late, what is ended, a CSV that is looked at first, editions, and who may only look. */
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import { signedIn } from '../../../test/people.ts';
import { type Answers, invalid, refused } from '../../../test/service.ts';
import type { Preisbuch } from '../../api/types.ts';

const { stand, ...book } = answerOf('preiseLesen');

/** A book that is set anew; each change is an edition. */
function keeping(said: Partial<Preisbuch> = {}): {
  answers: Answers;
  now: () => Preisbuch;
  meanwhile: (change: Partial<Preisbuch>) => void;
} {
  let kept: Preisbuch = { ...book, ...said };
  const meanwhile = (change: Partial<Preisbuch>) => {
    kept = { ...kept, ...change, fassung: kept.fassung + 1 };
  };
  return {
    now: () => kept,
    meanwhile,
    answers: {
      preiseLesen: () => ({ ...kept, stand }),
      preiseSetzen: ({ body }) => {
        const { fassung, ...change } = body as Preisbuch;
        if (fassung !== kept.fassung) return refused(409, 'preisbuch_veraltet');
        meanwhile(change);
        return kept;
      },
    },
  };
}

const button = (name: string | RegExp) => screen.findByRole('button', { name });
const dialog = async () => within(await screen.findByRole('dialog'));

test('a user who is too late hears of it, loses nothing, and both changes are there', async () => {
  const { answers, now, meanwhile } = keeping({ rabatte: [] });
  const { user } = await openAt('/preise?bereich=rabatte', { answers });
  await user.click(await button('Rabatt hinzufügen'));
  const form = await dialog();
  await user.type(form.getByLabelText('Anbieter'), 'openai');
  await user.type(form.getByLabelText('Rabatt in Prozent'), '12,5');
  meanwhile({ gemeldete_kosten: true });
  await user.click(form.getByRole('button', { name: 'Speichern' }));
  await form.findByText(/Das Preisbuch wurde inzwischen geändert und ist neu geladen/);
  expect(form.getByLabelText('Rabatt in Prozent')).toHaveProperty('value', '12,5');
  await user.click(form.getByRole('button', { name: 'Speichern' }));
  await screen.findByText('Gespeichert. Das Preisbuch hat jetzt Fassung 5.');
  expect(now()).toMatchObject({ gemeldete_kosten: true, rabatte: [{ anbieter: 'openai', prozent: '12.5' }] });
});

test('the address opens the form, which says what a pattern fits', async () => {
  const { user, address } = await openAt('/preise?modell=gpt-4o-mini&anbieter=openai');
  const form = await dialog();
  expect(form.getByLabelText('Modell')).toHaveProperty('value', 'gpt-4o-mini');
  expect(form.getByLabelText('Anbieter')).toHaveProperty('value', 'openai');
  await user.click(form.getByRole('button', { name: 'Abbrechen' }));
  await waitFor(() => expect(address()).not.toContain('modell'));
});

test('a model is approved to stand for others', async () => {
  const { answers, now } = keeping({ freigaben: [] });
  const { user } = await openAt('/preise?bereich=freigaben', { answers });
  await user.click(await button('Modell freigeben'));
  const form = await dialog();
  await user.type(form.getByLabelText('Freigegebenes Modell'), 'gpt-4o-mini');
  await user.type(form.getByLabelText('Darf stehen für'), 'gpt-4o\nhaus-*');
  await user.click(form.getByRole('button', { name: 'Speichern' }));
  await screen.findByText('statt gpt-4o, haus-*');
  expect(now().freigaben).toEqual([{ modell: 'gpt-4o-mini', ersetzt: ['gpt-4o', 'haus-*'] }]);
});

test('a price is ended, then removed, each after a question; reported costs are switched on', async () => {
  const [price] = book.preise;
  const { answers, now } = keeping({ preise: [{ ...price!, gilt_bis: null }] });
  const { user } = await openAt('/preise?bereich=preise', { answers });
  const list = within(await screen.findByRole('list', { name: 'Eigene Preise' }));
  const act = async (entry: string, confirm: string) => {
    await user.click(list.getByRole('button', { name: /^Mehr zu claude-sonnet-4-5/ }));
    await user.click(await screen.findByRole('menuitem', { name: entry }));
    await user.click((await dialog()).getByRole('button', { name: confirm }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  };
  await act('Beenden …', 'Beenden');
  await list.findByText('beendet');
  await act('Entfernen …', 'Entfernen');
  await screen.findByText('Noch keine eigenen Preise');
  await user.click(screen.getByLabelText('Gemeldete Kosten gelten'));
  await waitFor(() => expect(now()).toMatchObject({ preise: [], gemeldete_kosten: true }));
});

test('a CSV is refused by line and column, then shows what changes; changed meanwhile, it is checked again', async () => {
  const { answers, now, meanwhile } = keeping({ preise: [] });
  const [price] = book.preise;
  const { user, sent } = await openAt('/preise?bereich=preise', {
    answers: {
      ...answers,
      preiseEinlesen: ({ body }) => {
        const { csv, fassung, probe } = body as { csv: string; fassung: number; probe: boolean };
        if (csv.includes('viel'))
          return invalid([['body', 'csv', 3, 'eingabe'], 'value_error', { error: 'keine Zahl' }]);
        if (fassung !== now().fassung) return refused(409, 'preisbuch_veraltet');
        if (!probe) meanwhile({ preise: [price!] });
        return { ...now(), preise: [price!] };
      },
    },
  });
  await user.click(await button('CSV einlesen'));
  const form = await dialog();
  const file = (text: string) => new File([text], 'preise.csv', { type: 'text/csv' });
  await user.upload(form.getByLabelText('CSV-Datei'), file('modell;eingabe\r\na;1\r\nb;viel\r\n'));
  await form.findByText('1 Fehler in der Datei. Sie wurde nicht verwendet.');
  form.getByText('Zeile 3, Spalte eingabe:');
  expect(form.getByRole('button', { name: 'Übernehmen' })).toHaveProperty('disabled', true);
  await user.upload(form.getByLabelText('CSV-Datei'), file('modell;eingabe\r\na;1\r\n'));
  const changes = within(await form.findByRole('region', { name: 'Das ändert sich' }));
  await changes.findByText('neu');
  expect(now().preise).toEqual([]);
  meanwhile({ gemeldete_kosten: true });
  await user.click(form.getByRole('button', { name: 'Übernehmen' }));
  await form.findByText(/noch einmal gegen den neuen Stand geprüft/);
  await user.click(form.getByRole('button', { name: 'Übernehmen' }));
  await waitFor(() => expect(now().preise).toHaveLength(1));
  expect(sent('preiseEinlesen').map((body) => (body as { probe: boolean }).probe)).toEqual([
    true,
    true,
    false,
    true,
    false,
  ]);
});

test('who may only look has no button that changes anything, and no form from the address', async () => {
  const ich = signedIn({ rolle: 'betrachter' });
  const changing = /festlegen|Eigener Preis|hinzufügen|freigeben|ändern|Mehr zu|einlesen|wiederherstellen/;
  await openAt('/preise?modell=gpt-4o-mini', { ich });
  await screen.findByText('Preise ändern Inhaber, Verwalter und Buchhaltung.');
  await screen.findByRole('table');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(within(screen.getByRole('main')).queryAllByRole('button', { name: changing })).toEqual([]);
});
