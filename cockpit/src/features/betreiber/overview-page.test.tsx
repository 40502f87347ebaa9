/** Exchange rates out of a file, where operators see how old they are. */
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';
import { signedIn } from '../../../test/people.ts';
import { invalid } from '../../../test/service.ts';

const ich = signedIn({ betreiber: true });

test('a file is sent as it is, and the page says what became of it', async () => {
  const taken = { neu: 2, bis: '2026-11-26', abweichend: 1, abweichend_zuletzt: '2026-11-25' };
  const answers = {
    uebersicht: answerOf('uebersicht', { kurs_tag: null }),
    kurseEinlesen: answerOf('kurseEinlesen', taken),
  };
  const { user, sent } = await openAt('/betreiber', { ich, answers });
  await screen.findByText('noch keine: Es gilt der Ersatzkurs');
  await user.click(screen.getByRole('button', { name: 'Wechselkurse einlesen' }));
  await user.upload(
    await screen.findByLabelText('Datei (CSV oder ZIP)'),
    new File(['Date,USD'], 'kurse.csv'),
  );
  await screen.findByText('2 neue Kurse. Bekannt sind die Kurse jetzt bis 26.11.2026.');
  screen.getByText(/^An einem Tag ist ein anderer Kurs bekannt/);
  expect(sent('kurseEinlesen')).toEqual([{ datei: btoa('Date,USD') }]);
});

test('why a file is refused is said', async () => {
  const error = 'Das Archiv lässt sich nicht lesen.';
  const answers = { kurseEinlesen: invalid([['body', 'datei'], 'value_error', { error }]) };
  const { user } = await openAt('/betreiber', { ich, answers });
  await user.click(await screen.findByRole('button', { name: 'Wechselkurse einlesen' }));
  await user.upload(screen.getByLabelText('Datei (CSV oder ZIP)'), new File(['PK'], 'kurse.zip'));
  await screen.findByText(error);
});
