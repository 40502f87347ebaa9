/** The rates that are known, and whether substitute ones are replaced. */
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';

test('the settings show the rates, and keep whether substitute rates are replaced', async () => {
  const ersatzkurs = { usd_eur: '0.86', tag: '2026-11-20' };
  const { user, sent } = await openAt('/einstellungen/kurse', {
    answers: {
      preisKurse: answerOf('preisKurse', { referenzkurse: [], geholt_am: null, ersatzkurs } as never),
    },
  });
  await screen.findByText(/^Noch kein Referenzkurs bekannt/);
  screen.getByText('Ersatzkurs vom 20.11.2026');
  screen.getByText('1 USD = 0,86 EUR');
  await user.click(screen.getByLabelText('Ersatzkurse durch Referenzkurse ersetzen'));
  await screen.findByText('Gespeichert.');
  expect(sent('kurseSetzen')).toEqual([{ ersatzkurs_ersetzen: true }]);
});
