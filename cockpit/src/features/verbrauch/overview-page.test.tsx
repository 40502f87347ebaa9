/** What the overview looks at: period, filter, stack and measure stand in the address, and figures are those of the period named. */
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { overview } from '../../../test/figures.ts';
import { openAt, screen } from '../../../test/open.tsx';
import { saved } from '../../../test/saved.ts';

const title = (name: string) => screen.findByRole('heading', { level: 1, name });
const button = (name: string | RegExp) => screen.findByRole('button', { name });

test('the period is chosen by a key, and stands in the address', async () => {
  const { user, address, calls } = await openAt('/?zeitraum=7tage');
  await button(/^Zeitraum: 7\sTage/);
  await user.keyboard('h');
  await button('Zeitraum: Heute');
  expect(address()).toBe('/?zeitraum=heute');
  const asked = calls.filter(({ name }) => name === 'cockpitUebersicht').map(({ query }) => query.zeitraum);
  // A page that stays open asks again.
  expect([...new Set(asked)]).toEqual(['7tage', 'heute']);
});

test('what of the address means nothing is ignored, and said until something is chosen', async () => {
  const { user } = await openAt('/?zeitraum=quatsch');
  await screen.findByText(/^Die Adresse enthält eine Angabe, die es nicht gibt \(zeitraum\)/);
  await user.keyboard('h');
  await waitFor(() => expect(screen.queryByText(/Die Adresse enthält/)).toBeNull());
});

test('a measure is chosen, its course as a table; what it means is explained where it stands', async () => {
  const { user, address } = await openAt('/?zeitraum=7tage');
  const term = await button('Was heißt „Verbranntes Geld“?');
  await user.click(term);
  await screen.findByText(/fehlgeschlagene Aufrufe/);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(term));
  await user.click(await button(/^Aufrufe/));
  await user.click(screen.getByRole('radio', { name: 'Tabelle' }));
  const table = await screen.findByRole('table', { name: 'Aufrufe je Tag' });
  expect(within(table).getAllByRole('row')).toHaveLength(1 + 7);
  expect(address()).toContain('ansicht=tabelle');
});

test('a value is looked for in any dimension, filtered by, kept from page to page, and let go', async () => {
  const zeilen = ['gpt-4o', 'gpt-4o-mini'].map((schluessel) => ({
    ...answerOf('cockpitVerbrauch').zeilen[0]!,
    schluessel,
  }));
  const { user, address, calls } = await openAt('/?zeitraum=30tage', {
    answers: {
      cockpitVerbrauch: ({ query }) =>
        answerOf('cockpitVerbrauch', query.gruppe === 'modell' ? { zeilen } : {}),
    },
  });
  await user.click(await button('Filtern'));
  const dialog = within(await screen.findByRole('dialog', { name: 'Nach einem Merkmal filtern' }));
  await user.selectOptions(dialog.getByLabelText('Merkmal'), 'modell');
  await user.type(dialog.getByRole('searchbox', { name: 'Wert suchen' }), 'MINI');
  await user.click(await dialog.findByRole('button', { name: /gpt-4o-mini/ }));
  await title('gpt-4o-mini');
  expect(address()).toBe('/?zeitraum=30tage&modell=gpt-4o-mini');
  expect(calls.findLast(({ name }) => name === 'cockpitUebersicht')?.query).toMatchObject({
    modell: 'gpt-4o-mini',
  });
  const places = within(screen.getByRole('navigation', { name: 'Hauptnavigation' }));
  await user.click(places.getByRole('link', { name: 'Läufe' }));
  await title('Läufe');
  expect(address()).toBe('/laeufe?zeitraum=30tage&modell=gpt-4o-mini');
  // Also on the way by pages without figures.
  await user.click(places.getByRole('link', { name: 'Einstellungen' }));
  await title('Profil');
  await user.click(places.getByRole('link', { name: 'Übersicht' }));
  await title('gpt-4o-mini');
  await user.click(await button('Filter aufheben: Modell gpt-4o-mini'));
  await title('Übersicht');
  expect(address()).toBe('/?zeitraum=30tage');
});

test('figures of one period are never shown under the name of another', async () => {
  const held = Promise.withResolvers<void>();
  const { user } = await openAt('/?zeitraum=30tage', {
    answers: {
      cockpitUebersicht: async ({ query }) => {
        if (query.zeitraum === 'gestern') await held.promise;
        return overview({ zeitraum: query.zeitraum ?? '' });
      },
    },
  });
  await button(/^Kosten .*zuvor/);
  await user.keyboard('g');
  await button('Zeitraum: Gestern');
  expect(screen.queryByRole('button', { name: /^Kosten .*zuvor/ })).toBeNull();
  held.resolve();
  await button(/^Kosten .*zuvor/);
});

test('live figures can be stopped, and go on', async () => {
  const { user } = await openAt('/');
  await user.click(await button('Live'));
  await user.click(await button('Angehalten'));
  await button('Live');
});

test('the course is stacked by a dimension, which the address says', async () => {
  const { user, address } = await openAt('/?zeitraum=30tage');
  await user.selectOptions(await screen.findByLabelText('Gestapelt nach'), 'modell');
  await waitFor(() => expect(address()).toBe('/?zeitraum=30tage&stapel=modell'));
});

test('what is priced only in part is said, and never as measured', async () => {
  const { summe } = overview();
  await openAt('/', {
    answers: {
      cockpitUebersicht: overview({
        summe: { ...summe, teilbepreist: 2, unbepreist: 0, geschaetzt_eur: '1.29' },
      }),
    },
  });
  await screen.findByText(/2 Aufrufe nur zum Teil bepreist/);
  expect(screen.queryByText(/Alle Token gemessen/)).toBeNull();
});

test('the sum of tokens names its four parts', async () => {
  const { summe } = overview();
  const parts = {
    eingabe_ohne_cache: 10_000,
    cache_lese_token: 6_000,
    cache_schreib_token: 2_000,
    ausgabe_gesamt: 3_000,
    token: 21_000,
  };
  await openAt('/', {
    answers: { cockpitUebersicht: overview({ summe: { ...summe, aufrufe: 1, aufgeteilt: 1, ...parts } }) },
  });
  const told = await screen.findByTitle(
    'Eingabe ohne Cache 10.000 + aus Cache gelesen 6.000 + in Cache geschrieben 2.000 + Ausgabe mit Nachdenken 3.000',
  );
  expect(told.textContent).toBe('21.000');
});

test('a rank is saved as it is shown, with every figure and what is not among its rows', async () => {
  const files = saved();
  const { user } = await openAt('/?zeitraum=30tage&wert=aufrufe');
  await user.click(await button('Agenten: als CSV-Datei speichern'));
  await waitFor(() => expect(files).toHaveLength(1));
  expect(files[0]?.name).toBe('agent-30tage.csv');
  const [head, ...lines] = (await files[0]!.text())
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n');
  expect(head).toBe(
    'Agenten;Kosten (EUR);Aufrufe;Token;Eingabe ohne Cache;aus Cache gelesen;in Cache geschrieben;Ausgabe mit Nachdenken;Fehler;Verbrannt (EUR)',
  );
  expect(lines[1]).toMatch(/^12 weitere zusammen;/);
});
