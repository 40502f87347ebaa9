/** What was counted beside what was invoiced: the sum of a month, causes by their amounts, invoices changed and taken out. */
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import type { Abgleichzeile } from '../../api/types.ts';

const [example] = answerOf('abgleich').zeilen as [Abgleichzeile];
type Cause = Abgleichzeile['ursachen'][number];
const cause = (art: Cause['art'], betrag_eur: string | null, rest: Partial<Cause> = {}): Cause => ({
  art,
  aufrufe: null,
  betroffen_eur: null,
  betrag_eur,
  ...rest,
});
const row = (said: Partial<Abgleichzeile>) => answerOf('abgleich', { zeilen: [{ ...example, ...said }] });
const text = (element: Element) => (element.textContent ?? '').replaceAll(/[\u00a0\u202f]/g, ' ');
const provider = () => screen.findByRole('button', { name: /^openai/, expanded: false });

const CAUSES = [
  cause('wechselkurs', '0.31'),
  cause('ersatzkurs', '0.03'),
  cause('ersatzkurs_offen', null),
  cause('preisbuch', null, { aufrufe: 3, betroffen_eur: '1.94' }),
  cause('unzaehlbar', null, { aufrufe: 4 }),
  cause('monatsgrenze', null),
  cause('unbepreist', null, { aufrufe: 1 }),
  cause('rundung', '0.004'),
  cause('ungeklaert', '-0.2'),
];

test('causes are named, known amounts with theirs', async () => {
  const { user } = await openAt('/abgleich', { answers: { abgleich: row({ ursachen: CAUSES }) } });
  await user.click(await provider());
  const causes = within(await screen.findByRole('region', { name: 'Wahrscheinliche Ursachen' }));
  const said = causes.getAllByRole('listitem').map(text).join('\n');
  for (const part of [
    'zu einem anderen Kurs',
    'Zum Ersatzkurs umgerechnet',
    'Der Referenzkurs dieser Tage ist inzwischen bekannt und ein anderer.',
    '+0,03',
    'der Referenzkurs dieser Tage ist nicht bekannt.',
    '3 Aufrufe haben eigene Preise oder Rabatte (1,94 €)',
    '4 angenommene Aufrufe ließen sich nicht zählen',
    'nach Weltzeit (UTC)',
    '1 Aufruf ohne bekannten Preis fehlt in den gezählten Kosten.',
    'Rundung: Die Rechnung lautet auf ganze Cent',
    'Ungeklärt',
    'unbekannt',
  ])
    expect(said).toContain(part);
});

test('the price book stands beside the list', async () => {
  const preisbuch = {
    aufrufe: 3,
    kosten_eur: '1.94',
    verglichen: 2,
    preisbuch_eur: '1.29',
    listenpreis_eur: '1.72',
    differenz_eur: '-0.43',
    offene_tage: 2,
  };
  const { user } = await openAt('/abgleich', { answers: { abgleich: row({ preisbuch }) } });
  await user.click(await provider());
  const told = text(await screen.findByRole('region', { name: 'Preisbuch und Listenpreis' }));
  expect(told).toContain('1,29 € nach Ihrem Preisbuch, 1,72 € zum Listenpreis (\u22120,43 €)');
  expect(told).toContain('1 Aufruf mit eigenem Preis hat keinen bekannten Listenpreis.');
  expect(told).toContain('Tage des Monats sind nicht verglichen');
});

test('the month has its sum: over how many providers the difference is, and what has no invoice', async () => {
  await openAt('/abgleich');
  const sum = text((await screen.findByText('Summe')).closest('tr')!);
  expect(sum).toContain('Differenz über 3 von 4 Anbietern');
  expect(sum).toContain('40,30 € von 1 Anbieter ohne Rechnung');
});

test('causes and sum stand in English, too', async () => {
  const { user } = await openAt('/abgleich', {
    language: 'en',
    answers: { abgleich: row({ ursachen: CAUSES }) },
  });
  await user.click(await provider());
  await screen.findByText('3 calls have own prices or discounts', { exact: false });
  screen.getByText('4 accepted calls could not be counted and were set aside', { exact: false });
  screen.getByText('Difference over 3 of 4 providers');
});

test('of a provider without calls, or without an invoice, that is the cause', async () => {
  const { user } = await openAt('/abgleich', {
    answers: { abgleich: row({ ursachen: [cause('nicht_gezaehlt', '12.3')] }) },
  });
  await user.click(await provider());
  await screen.findByText(/Von diesem Anbieter wurde in diesem Monat kein Aufruf gezählt\./);
});

test('an invoice begins as it is when it is changed, and goes as it was typed; taken out, it is asked before', async () => {
  const { user, sent, calls } = await openAt('/abgleich', {
    answers: { rechnungAendern: answerOf('rechnungAendern') },
  });
  await user.click(await provider());
  await user.click(await screen.findByRole('button', { name: /^Rechnung INV-2026-10-7 ändern/ }));
  const amount = await screen.findByLabelText('Betrag netto');
  expect(amount).toHaveProperty('value', '412,18');
  await user.clear(amount);
  await user.type(amount, '\u22125');
  await user.click(screen.getByRole('button', { name: 'Speichern' }));
  await waitFor(() => expect(sent('rechnungAendern')).toMatchObject([{ betrag: '-5' }]));
  await user.click(await screen.findByRole('button', { name: /^Rechnung INV-2026-10-7 entfernen/ }));
  const dialog = await screen.findByRole('dialog');
  await user.click(within(dialog).getByRole('button', { name: 'Entfernen' }));
  await waitFor(() => expect(calls.map(({ name }) => name)).toContain('rechnungEntfernen'));
});

test('where nothing was counted the page says so; a month to come is not shown', async () => {
  await openAt('/abgleich?monat=9999-01', {
    answers: { abgleich: answerOf('abgleich', { zeilen: [], summen: [] }) },
  });
  await screen.findByText('Die Adresse nennt einen Monat, den es nicht gibt', { exact: false });
  await screen.findByRole('heading', { name: 'Noch nichts abzugleichen' });
});
