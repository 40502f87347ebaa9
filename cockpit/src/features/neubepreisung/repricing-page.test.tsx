/** Pricing past calls anew: why one ended early and what became of the calls, prices that changed meanwhile, and more rows. */
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import { refused } from '../../../test/service.ts';
import type { Neubepreisung } from '../../api/types.ts';

const ID = '0190a000-0000-7000-8000-000000000001';
const PAGE = `/preise/neubepreisung/${ID}`;
const one = (said: Partial<Neubepreisung>) =>
  answerOf('neubepreisung', { grund: null, angewendet_am: null, beendet_am: null, ...said });

test.each([
  [
    { status: 'abgebrochen', grund: 'preise_geaendert', geaendert: 0 },
    /das Preisbuch inzwischen geändert hat. Es hat sich nichts/,
  ],
  [
    { status: 'abgebrochen', grund: 'preise_geaendert', angewendet_am: '2026-11-20T10:00:00Z' },
    /inzwischen geändert hat. Was bis dahin/,
  ],
  [
    { status: 'fehlgeschlagen', angewendet_am: '2026-11-20T10:00:00Z' },
    /Ein Fehler des Dienstes hat .* beendet. Was bis dahin/,
  ],
] as const)('what ended early says why, and what became of the calls: %j', async (said, text) => {
  await openAt(PAGE, { answers: { neubepreisung: one(said) } });
  await screen.findByText(text);
  screen.getByRole('button', { name: 'Neue Vorschau rechnen' });
});

test('prices that changed since the preview are not applied: it is worked out anew', async () => {
  const { user, calls } = await openAt(PAGE, {
    answers: {
      neubepreisung: one({ status: 'bereit' }),
      neubepreisungAnwenden: refused(409, 'preise_geaendert'),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Anwenden' }));
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(dialog.getByRole('button', { name: 'Anwenden' }));
  await dialog.findByText(/Die Preise haben sich seit der Vorschau geändert\./);
  await user.click(dialog.getByRole('button', { name: 'Neue Vorschau rechnen' }));
  await waitFor(() => expect(calls.map(({ name }) => name)).toContain('neubepreisungAnlegen'));
});

test('one that is worked out says how far it is, and is ended', async () => {
  const { user, calls } = await openAt(PAGE, {
    answers: { neubepreisung: one({ status: 'vorschau', ereignisse: 1_000, gelesen: 250 }) },
  });
  await screen.findByText(/250 von 1\.000 Aufrufen angesehen/);
  expect(screen.getByRole('progressbar').getAttribute('value')).toBe('0.25');
  await user.click(screen.getByRole('button', { name: 'Abbrechen' }));
  await waitFor(() => expect(calls.map(({ name }) => name)).toContain('neubepreisungAbbrechen'));
});

test('while somebody else has one worked out there is no second: it is looked at', async () => {
  let isKnown = false;
  const { user } = await openAt('/preise/neubepreisung', {
    answers: {
      neubepreisungen: () => answerOf('neubepreisungen', isKnown ? {} : { neubepreisungen: [] }),
      neubepreisungAnlegen: () => {
        isKnown = true;
        return refused(409, 'neubepreisung_laeuft');
      },
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Vorschau rechnen' }));
  await screen.findByText(/Gerade wird eine Vorschau gerechnet/);
  screen.getByRole('link', { name: 'Ansehen' });
});

test('before the first one the page says what it is for', async () => {
  await openAt('/preise/neubepreisung', {
    answers: { neubepreisungen: answerOf('neubepreisungen', { neubepreisungen: [] }) },
  });
  await screen.findByText('Noch nichts neu bepreist');
});
