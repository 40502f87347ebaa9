import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ApiError } from '../api/error.ts';
import { ichQuery } from '../api/queries.ts';
import { parseAgentsSearch } from '../features/katalog/search.ts';
import { parseRunsSearch } from '../features/laeufe/search.ts';
import { parseFiguresSearch } from '../features/verbrauch/search.ts';
import { parseLoginSearch, toLoginSearch } from '../features/zugang/search.ts';
import { NotFound } from './not-found.tsx';
import { Shell } from './shell.tsx';
import { ShellError } from './shell-error.tsx';

interface RouterContext {
  client: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFound });

const login = createRoute({
  getParentRoute: () => root,
  path: '/anmelden',
  validateSearch: parseLoginSearch,
  component: lazyRouteComponent(() => import('../features/zugang/login-page.tsx'), 'LoginPage'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/registrieren',
  component: lazyRouteComponent(() => import('../features/zugang/register-page.tsx'), 'RegisterPage'),
});

/** Everything behind the login; who has no session is sent there and comes back afterwards. */
const cockpit = createRoute({
  getParentRoute: () => root,
  id: 'cockpit',
  beforeLoad: async ({ context, location }) => {
    try {
      await context.client.ensureQueryData(ichQuery);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      throw redirect({ to: '/anmelden', search: toLoginSearch(location.href) });
    }
  },
  component: Shell,
  errorComponent: ShellError,
});

const overview = createRoute({
  getParentRoute: () => cockpit,
  path: '/',
  validateSearch: parseFiguresSearch,
  component: lazyRouteComponent(() => import('../features/verbrauch/overview-page.tsx'), 'OverviewPage'),
});

const agents = createRoute({
  getParentRoute: () => cockpit,
  path: '/agenten',
  validateSearch: parseAgentsSearch,
  component: lazyRouteComponent(() => import('../features/katalog/agents-page.tsx'), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => cockpit,
  path: '/agenten/$agent_id',
  validateSearch: parseFiguresSearch,
  component: lazyRouteComponent(() => import('../features/katalog/agent-page.tsx'), 'AgentPage'),
});

const runs = createRoute({
  getParentRoute: () => cockpit,
  path: '/laeufe',
  validateSearch: parseRunsSearch,
  component: lazyRouteComponent(() => import('../features/laeufe/runs-page.tsx'), 'RunsPage'),
});

const run = createRoute({
  getParentRoute: () => cockpit,
  path: '/laeufe/$lauf_id',
  component: lazyRouteComponent(() => import('../features/laeufe/run-page.tsx'), 'RunPage'),
});

const connect = createRoute({
  getParentRoute: () => cockpit,
  path: '/anbindung',
  component: lazyRouteComponent(() => import('../features/anbindung/connect-page.tsx'), 'ConnectPage'),
});

const routeTree = root.addChildren([
  login,
  register,
  cockpit.addChildren([overview, agents, agent, runs, run, connect]),
]);

/** Plain `name=value` pairs: an address people can read, type and change. */
function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).flatMap(([name, value]) =>
    value === undefined || value === null || value === '' ? [] : [[name, String(value)]],
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** The routes of the cockpit over a cache of what was read. */
export function createCockpitRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    context: { client },
    defaultPreload: 'intent',
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
