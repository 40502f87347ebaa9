/** End customers of a month: which month is shown, faults at their fields, merged references, what a deletion leaves. */
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import { invalid } from '../../../test/service.ts';

const dialog = async () => within(await screen.findByRole('dialog'));

test('a month in the address that does not exist is not shown', async () => {
  await openAt('/endkunden?monat=2026-13');
  await screen.findByText(/^Die Adresse nennt einen Monat, den es nicht gibt/);
});

test('before the first end customer the page says where they come from', async () => {
  const none = { zeilen: [], summe: { ...answerOf('endkunden').summe, endkunden: 0, aufrufe: 0 } };
  await openAt('/endkunden', { answers: { endkunden: answerOf('endkunden', none) } });
  await screen.findByRole('heading', { name: 'Noch keine Endkunden' });
});

test('what of a new one is refused is said at its field', async () => {
  const { user, sent } = await openAt('/endkunden', {
    answers: {
      endkundeAnlegen: invalid([
        ['body', 'kostenstelle'],
        'value_error',
        { error: 'nur Buchstaben ohne Umlaute' },
      ]),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Neuer Endkunde' }));
  const form = await dialog();
  await user.type(form.getByLabelText('Referenz'), 'kunde/ä %25 & co?#');
  await user.type(form.getByLabelText('Kostenstelle'), 'Süd');
  await user.type(form.getByLabelText('Aufschlag in Prozent'), '12,5');
  await user.click(form.getByRole('button', { name: 'Anlegen' }));
  await form.findByText(/Buchstaben ohne Umlaute/);
  expect(sent('endkundeAnlegen')).toMatchObject([{ referenz: 'kunde/ä %25 & co?#', kostenstelle: 'Süd' }]);
});

test('a file is refused by line', async () => {
  const { user } = await openAt('/endkunden', {
    answers: {
      endkundenEinlesen: invalid([['body', 'csv', 2, 'Aufschlag'], 'value_error', { error: 'keine Zahl' }]),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'CSV einlesen' }));
  await user.upload(
    screen.getByLabelText('CSV-Datei'),
    new File(['a;b'], 'kunden.csv', { type: 'text/csv' }),
  );
  await screen.findByText(/^1 Fehler in der Datei\./);
  screen.getByText(/^Zeile 2/);
});

test('the pages speak English, amounts included', async () => {
  await openAt('/endkunden', { language: 'en' });
  await screen.findByRole('heading', { level: 1, name: 'End customers' });
  await waitFor(() => expect(screen.getByRole('table').textContent).toMatch(/€115\.28/));
});
