/** Of a budget the thresholds that are reached are said with their day, and those that are not yet. */
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';

test('thresholds are said, reached ones and open ones', async () => {
  const [budget] = answerOf('budgets').budgets;
  const schwellen = [50, 80, 100].map((prozent) => ({
    ...budget!.schwellen[0]!,
    prozent,
    erreicht_am: prozent === 50 ? '2026-11-12' : null,
  }));
  await openAt('/budgets', {
    answers: { budgets: answerOf('budgets', { budgets: [{ ...budget!, schwellen }] }) },
  });
  expect((await screen.findByText(/^Noch nicht erreicht/)).textContent).toBe(
    'Noch nicht erreicht: 80, 100 %',
  );
  screen.getByText(/50 %.*12\.11\./);
});
