/** A run step by step, and the list of runs. */
import { waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import type { Ereignis } from '../../api/types.ts';

const LAUF = '0190a000-0000-7000-8000-000000000001';
const [example] = answerOf('cockpitLauf').ereignisse as [Ereignis];

/** Steps of which the last three are alike, and the second has failed. */
const steps = [1, 2, 3, 4, 5, 6].map((number) => ({
  ...example,
  ereignis_id: LAUF.replace(/1$/, String(number)),
  schritt_nr: number,
  zeitpunkt: `2026-11-20T10:00:0${number}Z`,
  eingabe_token: number * 1_000,
  status: number === 2 ? 'fehler' : 'erfolgreich',
  fehlercode: number === 2 ? 'zeitueberschreitung' : null,
  werkzeug_fingerabdruck: null,
  prompt_fingerabdruck: number > 3 ? '00112233445566aa' : null,
}));

/** Every line of a list is there, as in a window that is high enough. */
function high(): void {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(33);
}

const lines = () => screen.getAllByRole('listitem').filter((line) => line.hasAttribute('aria-posinset'));

test('alike calls in a row are one line; what is opened shows its fields', async () => {
  high();
  const answers = {
    cockpitLauf: answerOf('cockpitLauf', { ereignisse: steps }),
    befundeListe: answerOf('befundeListe', { befunde: [] }),
  };
  const { user } = await openAt(`/laeufe/${LAUF}`, { answers });
  await screen.findByText(/3 Aufrufe mit gleichem Fingerabdruck zwischen Schritt 4 und 6/);
  await waitFor(() => expect(lines()).toHaveLength(4));
  const second = within(lines()[1]!);
  await user.click(second.getByRole('button', { expanded: false }));
  second.getAllByText('zeitueberschreitung');
  const term = second.getByText('eingabe_token');
  expect(term.nextElementSibling?.textContent).toBe('2.000');
  await user.click(second.getByRole('button', { expanded: true }));
  expect(second.queryByText('eingabe_token')).toBeNull();
  await user.click(within(lines()[3]!).getByRole('button', { expanded: false }));
  await waitFor(() => expect(lines()).toHaveLength(7));
});

test('a run says what it was begun from, and what it costs with all that was begun from it', async () => {
  const begun = '0190b000-0000-7000-8000-000000000002';
  const baum = {
    eltern_lauf: '0190c000-0000-7000-8000-000000000003',
    begonnen: [
      {
        lauf_id: begun,
        agent: 'a/leser',
        status: 'fehler',
        beginn: '2026-11-20T10:00:00Z',
        aufrufe: 3,
        kosten_eur: '1.25',
      },
    ],
    laeufe: 12,
    aufrufe: 140,
    unbepreist: 0,
    kosten_eur: '3.4012',
  };
  await openAt(`/laeufe/${LAUF}`, {
    answers: { cockpitLauf: answerOf('cockpitLauf', { ereignisse: steps, baum }) },
  });
  await screen.findByText(/^Mit 12 Läufen, die daraus begonnen wurden: 3,40/);
  expect(screen.getByRole('link', { name: '0190c000' }).getAttribute('href')).toMatch(/0190c000-/);
  expect(screen.getByRole('link', { name: '0190b000' }).getAttribute('href')).toMatch(/0190b000-/);
  screen.getByText('a/leser');
});

test('the steps come with the findings of the run, however late those are: nothing moves under a pointer', async () => {
  high();
  const held = Promise.withResolvers<void>();
  await openAt(`/laeufe/${LAUF}`, {
    answers: {
      cockpitLauf: answerOf('cockpitLauf', { ereignisse: steps, weiter: 'mehr' }),
      befundeListe: async () => {
        await held.promise;
        return answerOf('befundeListe');
      },
    },
  });
  await screen.findByText('16.100');
  expect(screen.queryByRole('button', { name: 'Mehr laden' })).toBeNull();
  held.resolve();
  await screen.findByRole('heading', { name: 'Befunde' });
  screen.getByRole('button', { name: 'Mehr laden' });
});

test('a run whose calls are kept no longer says so, beside its sums', async () => {
  await openAt(`/laeufe/${LAUF}`, { answers: { cockpitLauf: answerOf('cockpitLauf', { ereignisse: [] }) } });
  await screen.findByText('Die einzelnen Aufrufe dieses Laufs sind nicht mehr aufbewahrt', { exact: false });
  screen.getByText('16.100');
});

test('what is priced only in part is said of the run', async () => {
  const { lauf } = answerOf('cockpitLauf');
  await openAt(`/laeufe/${LAUF}`, {
    answers: { cockpitLauf: answerOf('cockpitLauf', { lauf: { ...lauf, teilbepreist: 1 } }) },
  });
  await screen.findByText(/1 Aufruf nur zum Teil bepreist/);
});

test('a long list of runs says that there is more, and loads it', async () => {
  const page = (count: number, from: number) =>
    Array.from({ length: count }, (_, at) => ({
      ...answerOf('cockpitLaeufe').laeufe[0]!,
      lauf_id: LAUF.replace(/.{4}$/, String(from + at).padStart(4, '0')),
    }));
  const { user, calls } = await openAt('/laeufe?zeitraum=heute&sortierung=kosten', {
    answers: {
      cockpitLaeufe: ({ query }) =>
        query.nach ? { laeufe: page(2, 50), weiter: null } : { laeufe: page(3, 0), weiter: 'naechste' },
    },
  });
  await screen.findByText('3 geladen, es gibt weitere.');
  await user.click(screen.getByRole('button', { name: 'Weitere Läufe laden' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Weitere Läufe laden' })).toBeNull());
  expect(within(screen.getByRole('table', { name: 'Läufe' })).getAllByRole('row')).toHaveLength(1 + 5);
  expect(calls.findLast(({ name }) => name === 'cockpitLaeufe')?.query).toMatchObject({
    nach: 'naechste',
    sortierung: 'kosten',
  });
});

test('the order and the search of runs stand in the address', async () => {
  const { user, address } = await openAt('/laeufe?zeitraum=30tage');
  await user.selectOptions(await screen.findByLabelText('Reihenfolge'), 'kosten');
  await waitFor(() => expect(address()).toBe('/laeufe?zeitraum=30tage&sortierung=kosten'));
  await user.type(screen.getByRole('searchbox', { name: 'Läufe suchen' }), '0190a000{Enter}');
  await waitFor(() => expect(address()).toContain('suche=0190a000'));
});
