/** The package: how the licence of the installation stands, a booking that was broken off or is on its way. */
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';

const PAGE = '/einstellungen/paket';

test('the page says how the licence of the installation stands', async () => {
  await openAt(PAGE);
  await screen.findByText(/2 von 3 belegt/);
  screen.getByText(
    /^Die Sperrliste ist seit .* nicht erreicht\. Bis .* gilt die Lizenz auch ohne sie\. Unter ihrer Adresse antwortet niemand\.$/,
  );
});

test('a booking leads to the payment provider', async () => {
  const paket = { ...answerOf('lizenzLesen').pakete[0]!, buchbar: true };
  const { user, sent } = await openAt(PAGE, {
    answers: {
      lizenzLesen: answerOf('lizenzLesen', { buchung_moeglich: true, pakete: [paket], lizenz: null }),
      buchen: answerOf('buchen'),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Team buchen' }));
  await expect.poll(() => sent('buchen')).toEqual([{ paket: 'team' }]);
});
