/** The routes of the cockpit, by area. */
import type { QueryClient } from '@tanstack/react-query';
import { createRouter } from '@tanstack/react-router';
import { PagePending } from './page-pending.tsx';
import { billing } from './routes/billing.ts';
import { cockpit, nowhere } from './routes/cockpit.ts';
import { figures } from './routes/figures.ts';
import { operatorPages } from './routes/operators.ts';
import { outside } from './routes/outside.ts';
import { protection } from './routes/protection.ts';
import { root } from './routes/root.ts';
import { settingUp } from './routes/setting-up.ts';
import { settingsPages } from './routes/settings.ts';

const routeTree = root.addChildren([
  ...outside,
  operatorPages,
  cockpit.addChildren([...figures, ...protection, ...billing, ...settingUp, settingsPages, nowhere]),
]);

/** Plain `name=value` pairs: an address people can read, type and change. */
function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** The routes of the cockpit over a cache of what was read. */
export function createCockpitRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    defaultPreload: 'intent',
    // Soon enough that nobody takes what is still shown for the page of the new address.
    defaultPendingComponent: PagePending,
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    scrollRestoration: true,
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createCockpitRouter>;
  }
}
