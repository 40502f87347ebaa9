/** Colleagues: invited, changed, and who has to stay. */
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';

const [owner] = answerOf('benutzerListe').benutzer;
const PAGE = '/einstellungen/benutzer';

test('the last owner stays: the menu says why', async () => {
  const { user } = await openAt(PAGE, {
    answers: { benutzerListe: answerOf('benutzerListe', { benutzer: [{ ...owner!, aktiv: true }] }) },
  });
  await user.click(await screen.findByRole('button', { name: /^Aktionen für Anna Muster/ }));
  const remove = await screen.findByRole('menuitem', { name: /^Entfernen/ });
  expect(remove.textContent).toContain('Der letzte Inhaber muss bleiben.');
  await user.click(remove);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('an invitation says what the role may, and the focus comes back', async () => {
  const { user, sent } = await openAt(PAGE);
  const invite = await screen.findByRole('button', { name: 'Einladen' });
  await user.click(invite);
  const dialog = within(await screen.findByRole('dialog', { name: 'Jemanden einladen' }));
  expect(document.activeElement).toBe(dialog.getByLabelText('E-Mail'));
  await user.type(dialog.getByLabelText('E-Mail'), 'bea@example.org');
  await user.selectOptions(dialog.getByLabelText('Rolle'), 'buchhaltung');
  dialog.getByText('Sieht Verbrauch und Läufe und exportiert alle Daten.');
  await user.click(dialog.getByRole('button', { name: 'Einladen' }));
  await expect
    .poll(() => sent('benutzerEinladen'))
    .toEqual([{ email: 'bea@example.org', rolle: 'buchhaltung' }]);
});
