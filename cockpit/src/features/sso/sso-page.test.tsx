/** A domain is checked by itself: what it comes to is said of it, and of no other one. */
import { within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { answerOf } from '../../../test/examples.ts';
import { openAt, screen } from '../../../test/open.tsx';

test('the checked domain is proven, the others stay as they are', async () => {
  const example = answerOf('ssoDomainPruefen');
  const open = (domain: string) => ({ ...example, domain, status: 'offen' as const, bewiesen_am: null });
  const domains = [open('a.example.org'), open('b.example.org')];
  const { user } = await openAt('/einstellungen/firmenkonto', {
    answers: {
      ssoLesen: answerOf('ssoLesen', { eingerichtet: true, domains }),
      ssoDomainPruefen: ({ params: { domain = '' } }) => ({
        ...open(domain),
        status: 'bewiesen',
        bewiesen_am: '2026-11-20T10:00:00Z',
      }),
    },
  });
  await user.click(await screen.findByRole('button', { name: 'Jetzt prüfen: b.example.org' }));
  await expect.poll(() => screen.queryByRole('button', { name: 'Jetzt prüfen: b.example.org' })).toBeNull();
  const lines = screen.getAllByRole('listitem').filter((line) => line.textContent.includes('example.org'));
  expect(lines.map((line) => within(line).queryByText('bewiesen') !== null)).toEqual([false, true]);
});
