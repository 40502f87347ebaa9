/** Who may only look has nothing that changes anything, whichever page it is. */
import { waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { openAt, screen } from '../../test/open.tsx';
import { signedIn } from '../../test/people.ts';

const ID = '0190a000-0000-7000-8000-000000000001';
const CHANGING =
  /^(Ignorieren|Wieder öffnen|Neue Regel|Lauf anhalten|Drosseln|Schutz$|Budget$|Aufheben|Schließen|Bearbeiten|Vorschau rechnen|Anwenden|Verwerfen|Neue Vorschau|Eigener Preis|Preis festlegen|Rabatt hinzufügen|Modell freigeben|CSV einlesen|Regel anlegen|Löschen|Scharf stellen)/;

test.each([
  `/befunde/${ID}`,
  '/vorfaelle',
  '/antraege',
  '/eingriffe',
  '/regeln',
  '/budgets',
  `/laeufe/${ID}`,
  `/agenten/${ID}`,
  '/preise',
  '/preise?bereich=preise',
  '/preise?bereich=rabatte',
  '/preise?bereich=freigaben',
  '/preise?bereich=fassungen',
  '/preise/neubepreisung',
  `/preise/neubepreisung/${ID}`,
  '/anbindung/importe',
  `/anbindung/importe/${ID}`,
])('%s', async (path) => {
  const { calls } = await openAt(path, { ich: signedIn({ rolle: 'betrachter' }) });
  await screen.findByRole('heading', { level: 1 });
  await waitFor(() => expect(calls.length).toBeGreaterThan(1));
  const main = within(screen.getByRole('main'));
  await waitFor(() => expect(document.querySelector('[aria-busy="true"]')).toBeNull());
  expect(main.queryAllByRole('button', { name: CHANGING })).toEqual([]);
  expect(main.queryAllByRole('link', { name: 'Neue Regel' })).toEqual([]);
});

test.each(['/einstellungen/buchhaltung', '/einstellungen/benutzer', '/einstellungen/protokoll'])(
  '%s is for others',
  async (path) => {
    await openAt(path, { ich: signedIn({ rolle: 'betrachter' }) });
    await screen.findByText('Dazu fehlt Ihnen das Recht.');
  },
);
