/** The status page: since when each part is as it is, the last 90 days, and what it says while nobody answers. */
import { waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';

const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;

test('it tells of every part since when, and of what was the matter', async () => {
  await openAt('/status');
  const parts = within(await screen.findByRole('region', { name: 'Teile des Dienstes' }));
  const database = within((await parts.findByRole('heading', { name: 'Datenbank' })).closest('li')!);
  database.getByText('in Ordnung');
  database.getByText(/^seit 20\.11\.2026, \d\d:00/);
  const disturbances = within(await screen.findByRole('region', { name: 'Störungen' }));
  expect(disturbances.getByRole('listitem').textContent?.replaceAll('\u00a0', ' ')).toMatch(
    /Datenbank.*eingeschränkt.*\(6 min 12 s/,
  );
});

test('it speaks English', async () => {
  const { user } = await openAt('/status');
  await user.click(await screen.findByText('English'));
  await screen.findByRole('heading', { level: 1, name: 'System status' });
});

test('where nobody answers it says so, keeps what was known last, and goes on by itself', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: [...TIMERS] });
  let isGone = false;
  await openAt('/status', {
    answers: {
      status: () => {
        if (isGone) throw new TypeError('fetch failed');
        return answerOf('status');
      },
    },
  });
  await screen.findByRole('heading', { name: 'Datenbank' });
  isGone = true;
  await vi.advanceTimersByTimeAsync(40_000);
  await screen.findByText('Der Dienst antwortet nicht');
  screen.getByText(/Unten steht, was zuletzt bekannt war/);
  screen.getByRole('heading', { name: 'Datenbank' });
  isGone = false;
  await vi.advanceTimersByTimeAsync(40_000);
  await waitFor(() => expect(screen.queryByText('Der Dienst antwortet nicht')).toBeNull());
});

test('it asks nothing while it is out of sight', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: [...TIMERS] });
  const { calls } = await openAt('/status');
  await screen.findByRole('heading', { name: 'Datenbank' });
  const asked = () => calls.filter(({ name }) => name === 'status').length;
  const show = (state: 'visible' | 'hidden') => {
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  };
  show('hidden');
  const before = asked();
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked()).toBe(before);
  show('visible');
  await vi.advanceTimersByTimeAsync(40_000);
  await waitFor(() => expect(asked()).toBeGreaterThan(before));
});
