/** The end of the account: only by its name, the password, and the code of a second factor. */
import { expect, test } from 'vitest';
import { openAt, screen } from '../../../test/open.tsx';
import { signedIn } from '../../../test/people.ts';
import { refused } from '../../../test/service.ts';

test('an account with a second factor is cancelled by name, password and code', async () => {
  const { user, sent, address } = await openAt('/einstellungen/kuendigung', {
    ich: signedIn({ zweiter_faktor: true }),
    answers: { kontoKuendigen: refused(403, 'code_falsch', 'Der Code stimmt nicht.') },
  });
  const submit = await screen.findByRole('button', { name: 'Konto kündigen' });
  await user.type(screen.getByLabelText('Ihr Passwort'), 'ein-langes-passwort');
  await user.type(screen.getByLabelText('Zur Bestätigung „Muster GmbH“ eingeben'), 'Muster GmbH');
  expect(submit).toHaveProperty('disabled', true);
  await user.type(screen.getByLabelText('Code'), '123456');
  await user.click(submit);
  await screen.findByText('Der Code stimmt nicht.');
  expect(sent('kontoKuendigen')).toEqual([
    { passwort: 'ein-langes-passwort', code: '123456', bestaetigung: 'Muster GmbH' },
  ]);
  expect(address()).toBe('/einstellungen/kuendigung');
});

test('another name than that of the firm does not do', async () => {
  const { user } = await openAt('/einstellungen/kuendigung');
  const submit = await screen.findByRole('button', { name: 'Konto kündigen' });
  await user.type(screen.getByLabelText('Ihr Passwort'), 'ein-langes-passwort');
  await user.type(screen.getByLabelText('Zur Bestätigung „Muster GmbH“ eingeben'), 'Muster');
  expect(submit).toHaveProperty('disabled', true);
});
