/** What programs ask for is granted with an amount, or declined with an answer. */
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';

const [example] = answerOf('antraege').antraege;
const open = {
  ...example!,
  art: 'budget' as const,
  bezeichnung: 'support/triage',
  bisher_eur: '20',
  wunsch_eur: '40',
  status: 'offen' as const,
  begruendung: 'Ein Dokument fehlt noch.',
  entschieden_am: null,
  entschieden_von: null,
  gewaehrt_eur: null,
  antwort: null,
};
const decided = {
  ...open,
  antrag_id: crypto.randomUUID(),
  status: 'abgelehnt' as const,
  antwort: 'Heute nicht.',
};
const answers = { antraege: answerOf('antraege', { antraege: [open, decided], weiter: null }) };

test('a request is granted with another amount', async () => {
  const { user, sent } = await openAt('/antraege', { answers });
  await user.click(await screen.findByRole('button', { name: 'Gewähren' }));
  const amount = await screen.findByLabelText('Neue Grenze in EUR');
  await user.clear(amount);
  await user.type(amount, '30,5');
  const buttons = screen.getAllByRole('button', { name: 'Gewähren' });
  await user.click(buttons.at(-1)!);
  expect(sent('antragEntscheiden')).toEqual([{ gewaehrt: true, betrag_eur: '30.5' }]);
});

test('a request is declined with an answer; what is decided has no buttons', async () => {
  const { user, sent } = await openAt('/antraege', { answers });
  await screen.findByText('Heute nicht.');
  await user.click(screen.getByRole('button', { name: 'Ablehnen' }));
  await user.type(await screen.findByLabelText(/^Antwort an das Programm/), 'Morgen.');
  await user.click(screen.getAllByRole('button', { name: 'Ablehnen' }).at(-1)!);
  expect(sent('antragEntscheiden')).toEqual([{ gewaehrt: false, antwort: 'Morgen.' }]);
});
