/** The pages of figures: what was used, by whom, in which runs. */
import { createRoute } from '@tanstack/react-router';
import { auffaelligesQuery, uebersichtQuery, vorfaelleQuery } from '../../api/queries.ts';
import { parseAgentsSearch } from '../../features/katalog/search.ts';
import { parseRunSearch, parseRunsSearch } from '../../features/laeufe/search.ts';
import { OverviewPage } from '../../features/verbrauch/overview-page.tsx';
import {
  askedBy,
  keepView,
  parseBreakdownSearch,
  parseFiguresSearch,
} from '../../features/verbrauch/search.ts';
import { pageOf } from '../page-of.ts';
import { cockpit } from './cockpit.ts';

const overview = createRoute({
  getParentRoute: () => cockpit,
  path: '/',
  validateSearch: parseFiguresSearch,
  search: { middlewares: [keepView((path) => path === '/')] },
  loaderDeps: ({ search }) => askedBy(search),
  // Asked for before the page is drawn, so that one does not wait for the other.
  loader: ({ context: { client }, deps: { zeitraum, werte } }) => {
    client.prefetchQuery(uebersichtQuery(zeitraum, werte));
    if (Object.keys(werte).length > 0) return;
    client.prefetchQuery(auffaelligesQuery(zeitraum));
    client.prefetchInfiniteQuery(vorfaelleQuery('offen'));
  },
  staleTime: Number.POSITIVE_INFINITY,
  // Where almost everybody begins: it comes with the frame, without a way of its own.
  component: OverviewPage,
});

const breakdown = createRoute({
  getParentRoute: () => cockpit,
  path: '/aufschluesselung',
  validateSearch: parseBreakdownSearch,
  search: { middlewares: [keepView((path) => path === '/aufschluesselung')] },
  component: pageOf(() => import('../../features/verbrauch/breakdown-page.tsx'), 'BreakdownPage'),
});

const agents = createRoute({
  getParentRoute: () => cockpit,
  path: '/agenten',
  validateSearch: parseAgentsSearch,
  search: { middlewares: [keepView((path) => path === '/agenten')] },
  component: pageOf(() => import('../../features/katalog/agents-page.tsx'), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => cockpit,
  path: '/agenten/$agent_id',
  validateSearch: parseFiguresSearch,
  search: { middlewares: [keepView((path) => path.startsWith('/agenten/'))] },
  component: pageOf(() => import('../../features/katalog/agent-page.tsx'), 'AgentPage'),
});

const runs = createRoute({
  getParentRoute: () => cockpit,
  path: '/laeufe',
  validateSearch: parseRunsSearch,
  search: { middlewares: [keepView((path) => path === '/laeufe')] },
  component: pageOf(() => import('../../features/laeufe/runs-page.tsx'), 'RunsPage'),
});

const run = createRoute({
  getParentRoute: () => cockpit,
  path: '/laeufe/$lauf_id',
  validateSearch: parseRunSearch,
  // It shows one run, whatever the view, and changes nothing of it.
  search: { middlewares: [keepView(() => false)] },
  component: pageOf(() => import('../../features/laeufe/run-page.tsx'), 'RunPage'),
});

export const figures = [overview, breakdown, agents, agent, runs, run] as const;
