import { QueryClient } from '@tanstack/react-query';
import { createMemoryHistory } from '@tanstack/react-router';
import { expect, it } from 'vitest';
import { createCockpitRouter } from './router.ts';

/** The search as the login page gets it from the router. */
function searchAt(address: string): Record<string, unknown> {
  const router = createCockpitRouter(new QueryClient());
  router.update({ ...router.options, history: createMemoryHistory({ initialEntries: [address] }) });
  return router.matchRoutes(router.latestLocation).at(-1)?.search ?? {};
}

it.each([
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n\\evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'laeufe',
])('the login page leads nowhere but into the cockpit: %j', (ziel) => {
  expect(searchAt(`/anmelden?${new URLSearchParams({ ziel })}`).ziel).toBeUndefined();
});

it('the login page leads back to where one came from', () => {
  expect(searchAt('/anmelden?ziel=/laeufe').ziel).toBe('/laeufe');
  expect(searchAt('/anmelden?ziel=%2Flaeufe%3Flimit%3D100').ziel).toBe('/laeufe?limit=100');
});
