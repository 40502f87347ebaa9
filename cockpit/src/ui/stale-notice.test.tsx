/** That figures are old is said with since when and why, and only while they are. */
import { expect, test, vi } from 'vitest';
import { screen, show } from '../../test/open.tsx';
import { ApiError } from '../api/error.ts';
import { StaleNotice } from './stale-notice.tsx';

const fresh = {
  data: {},
  dataUpdatedAt: Date.parse('2026-11-20T10:00:00Z'),
  fetchStatus: 'idle' as const,
  error: null,
  refetch: () => undefined,
};

test('without a connection it says since when', async () => {
  await show(<StaleNotice of={{ ...fresh, fetchStatus: 'paused' }} />);
  screen.getByText(/^Keine Verbindung\. Die Zahlen sind von \d\d:\d\d:\d\d/);
});

test('after a failure it says why, and one can ask again', async () => {
  const refetch = vi.fn();
  const error = new ApiError({ status: 0, code: 'nicht_erreichbar', detail: '' });
  const { user } = await show(<StaleNotice of={{ ...fresh, error, refetch }} />);
  await user.click(screen.getByRole('button', { name: 'Jetzt aktualisieren' }));
  expect(refetch).toHaveBeenCalledOnce();
});

test('figures that are new, or not there yet, are not spoken of', async () => {
  await show(
    <main>
      <StaleNotice of={fresh} />
      <StaleNotice of={{ ...fresh, data: undefined, fetchStatus: 'paused' }} />
    </main>,
  );
  expect(screen.getByRole('main').textContent).toBe('');
});
