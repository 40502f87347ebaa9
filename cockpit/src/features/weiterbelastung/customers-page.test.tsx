/** End customers of a month: which month is shown, faults at their fields, merged references, what a deletion leaves. */
import { waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import { invalid } from '../../../test/service.ts';
import type { Endkunde } from '../../api/types.ts';

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

const [example] = answerOf('endkunden').zeilen;
const rowOf = (row: Partial<Endkunde>): Endkunde => ({ ...(example as Endkunde), ...row });
const closed = (buchung: Endkunde['buchung']) =>
  answerOf('endkunden', {
    status: 'geschlossen',
    zeilen: [rowOf({ referenz: 'K-1', name: 'Alt GmbH', buchung })],
  });

test('of a closed month only what goes to bookkeeping can be corrected, beginning with what goes there now', async () => {
  const buchung = { name: 'Neu GmbH', kostenstelle: '4711', debitorenkonto: null };
  const { user, sent } = await openAt('/endkunden?monat=2026-10', {
    answers: { endkunden: closed(buchung) },
  });
  await user.click(await screen.findByRole('button', { name: 'Aktionen für Alt GmbH' }));
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Für die Buchhaltung berichtigen …']);
  await user.click(screen.getByRole('menuitem'));
  const form = await dialog();
  const name = form.getByLabelText<HTMLInputElement>('Name');
  expect(name.value).toBe('Neu GmbH');
  await user.clear(name);
  await user.type(form.getByLabelText('Debitorenkonto'), '10042');
  await user.click(form.getByRole('button', { name: 'Speichern' }));
  await waitFor(() =>
    expect(sent('buchungBerichtigen')).toEqual([
      {
        monat: '2026-10',
        zeilen: [{ referenz: 'K-1', name: null, kostenstelle: '4711', debitorenkonto: '10042' }],
        einstellungen: false,
      },
    ]),
  );
});

test('who was charged nothing in a closed month has nothing to correct', async () => {
  await openAt('/endkunden?monat=2026-10', { answers: { endkunden: closed(null) } });
  await screen.findByText('Alt GmbH');
  expect(screen.queryByRole('button', { name: 'Aktionen für Alt GmbH' })).toBeNull();
});

test('a dialog says what the saved cost data for programs leaves out', async () => {
  const { user } = await openAt('/endkunden?monat=2026-10');
  URL.createObjectURL = () => 'blob:x';
  URL.revokeObjectURL = () => undefined;
  const save = async (leftOut: string) => {
    await user.click(await screen.findByRole('button', { name: 'Herunterladen' }));
    const headers = { 'x-rows-left-out': leftOut };
    vi.mocked(fetch).mockImplementationOnce(async () => new Response('a', { headers }));
    await user.click(await screen.findByRole('menuitem', { name: /FOCUS/ }));
  };
  await save('0');
  await screen.findByText('focus-2026-10.csv ist gespeichert.');
  expect(screen.queryByRole('dialog')).toBeNull();
  await save('3');
  await (await dialog()).findByText(/^3 Zeilen fehlen, weil ihr Preis unbekannt ist/);
});

test('a reference that is no part of an address is asked for by its id', async () => {
  const endkunden = answerOf('endkunden', {
    zeilen: [
      rowOf({ referenz: 'a.b' }),
      rowOf({ referenz: '..', endkunde_id: '0190a000-0000-7000-8000-00000000000d' }),
    ],
  });
  const { calls } = await openAt('/endkunden/abrechnung?referenz=..&monat=2026-10', {
    answers: { endkunden },
  });
  await waitFor(() =>
    expect(
      calls.filter(({ name }) => name === 'abrechnung').map(({ params }) => params.endkunde_ref),
    ).toEqual(['0190a000-0000-7000-8000-00000000000d']),
  );
});
