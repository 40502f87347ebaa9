import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Outlet,
  redirect,
} from '@tanstack/react-router';
import { ApiError } from '../api/error.ts';
import { ichQuery, uebersichtQuery } from '../api/queries.ts';
import { parseFindingsSearch, parseIncidentsSearch } from '../features/befunde/search.ts';
import { parseUsersSearch } from '../features/benutzer/search.ts';
import { parsePackageSearch } from '../features/buchung/search.ts';
import { parseInterventionsSearch } from '../features/eingriffe/search.ts';
import { parseAgentsSearch } from '../features/katalog/search.ts';
import { parseRunSearch, parseRunsSearch } from '../features/laeufe/search.ts';
import { parseRepricingSearch } from '../features/neubepreisung/search.ts';
import { parseAuditSearch } from '../features/protokoll/search.ts';
import { OverviewPage } from '../features/verbrauch/overview-page.tsx';
import { askedBy, keepView, parseBreakdownSearch, parseFiguresSearch } from '../features/verbrauch/search.ts';
import { parseLoginSearch, parseTokenSearch, toLoginSearch } from '../features/zugang/search.ts';
import { parseTwinSearch } from '../features/zwilling/search.ts';
import { NotFound } from './not-found.tsx';
import { pageOf } from './page-of.ts';
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
  component: pageOf(() => import('../features/zugang/login-page.tsx'), 'LoginPage'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/registrieren',
  component: pageOf(() => import('../features/zugang/register-page.tsx'), 'RegisterPage'),
});

const forgot = createRoute({
  getParentRoute: () => root,
  path: '/passwort-vergessen',
  component: pageOf(() => import('../features/zugang/forgot-page.tsx'), 'ForgotPage'),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: '/passwort-neu',
  validateSearch: parseTokenSearch,
  component: pageOf(() => import('../features/zugang/reset-page.tsx'), 'ResetPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/einladung',
  validateSearch: parseTokenSearch,
  component: pageOf(() => import('../features/zugang/invitation-page.tsx'), 'InvitationPage'),
});

const agreementToRead = createRoute({
  getParentRoute: () => root,
  path: '/avv',
  component: pageOf(() => import('../features/mandant/agreement-page.tsx'), 'AgreementPage'),
});

const farewell = createRoute({
  getParentRoute: () => root,
  path: '/abschied',
  component: pageOf(() => import('../features/kuendigung/farewell-page.tsx'), 'FarewellPage'),
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
  search: { middlewares: [keepView((path) => path === '/')] },
  loaderDeps: ({ search }) => askedBy(search),
  // Asked for before the page is drawn, so that one does not wait for the other.
  loader: ({ context, deps: { zeitraum, werte } }) => {
    context.client.prefetchQuery(uebersichtQuery(zeitraum, werte));
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
  component: pageOf(() => import('../features/verbrauch/breakdown-page.tsx'), 'BreakdownPage'),
});

const agents = createRoute({
  getParentRoute: () => cockpit,
  path: '/agenten',
  validateSearch: parseAgentsSearch,
  search: { middlewares: [keepView((path) => path === '/agenten')] },
  component: pageOf(() => import('../features/katalog/agents-page.tsx'), 'AgentsPage'),
});

const agent = createRoute({
  getParentRoute: () => cockpit,
  path: '/agenten/$agent_id',
  validateSearch: parseFiguresSearch,
  search: { middlewares: [keepView((path) => path.startsWith('/agenten/'))] },
  component: pageOf(() => import('../features/katalog/agent-page.tsx'), 'AgentPage'),
});

const runs = createRoute({
  getParentRoute: () => cockpit,
  path: '/laeufe',
  validateSearch: parseRunsSearch,
  search: { middlewares: [keepView((path) => path === '/laeufe')] },
  component: pageOf(() => import('../features/laeufe/runs-page.tsx'), 'RunsPage'),
});

const run = createRoute({
  getParentRoute: () => cockpit,
  path: '/laeufe/$lauf_id',
  validateSearch: parseRunSearch,
  search: { middlewares: [keepView((path) => path.startsWith('/laeufe/'))] },
  component: pageOf(() => import('../features/laeufe/run-page.tsx'), 'RunPage'),
});

const findings = createRoute({
  getParentRoute: () => cockpit,
  path: '/befunde',
  validateSearch: parseFindingsSearch,
  component: pageOf(() => import('../features/befunde/findings-page.tsx'), 'FindingsPage'),
});

const finding = createRoute({
  getParentRoute: () => cockpit,
  path: '/befunde/$befund_id',
  component: pageOf(() => import('../features/befunde/finding-page.tsx'), 'FindingPage'),
});

const incidents = createRoute({
  getParentRoute: () => cockpit,
  path: '/vorfaelle',
  validateSearch: parseIncidentsSearch,
  component: pageOf(() => import('../features/befunde/incidents-page.tsx'), 'IncidentsPage'),
});

const interventions = createRoute({
  getParentRoute: () => cockpit,
  path: '/eingriffe',
  validateSearch: parseInterventionsSearch,
  component: pageOf(() => import('../features/eingriffe/interventions-page.tsx'), 'InterventionsPage'),
});

const rules = createRoute({
  getParentRoute: () => cockpit,
  path: '/regeln',
  component: pageOf(() => import('../features/regeln/rules-page.tsx'), 'RulesPage'),
});

const newRule = createRoute({
  getParentRoute: () => cockpit,
  path: '/regeln/neu',
  component: pageOf(() => import('../features/regeln/rule-page.tsx'), 'NewRulePage'),
});

const rule = createRoute({
  getParentRoute: () => cockpit,
  path: '/regeln/$regel_id',
  component: pageOf(() => import('../features/regeln/rule-page.tsx'), 'RulePage'),
});

const budgets = createRoute({
  getParentRoute: () => cockpit,
  path: '/budgets',
  component: pageOf(() => import('../features/budgets/budgets-page.tsx'), 'BudgetsPage'),
});

const repricings = createRoute({
  getParentRoute: () => cockpit,
  path: '/preise/neubepreisung',
  component: pageOf(() => import('../features/neubepreisung/repricings-page.tsx'), 'RepricingsPage'),
});

const repricing = createRoute({
  getParentRoute: () => cockpit,
  path: '/preise/neubepreisung/$neubepreisung_id',
  validateSearch: parseRepricingSearch,
  component: pageOf(() => import('../features/neubepreisung/repricing-page.tsx'), 'RepricingPage'),
});

const twin = createRoute({
  getParentRoute: () => cockpit,
  path: '/zwilling',
  validateSearch: parseTwinSearch,
  search: { middlewares: [keepView((path) => path === '/zwilling')] },
  component: pageOf(() => import('../features/zwilling/twin-page.tsx'), 'TwinPage'),
});

const connect = createRoute({
  getParentRoute: () => cockpit,
  path: '/anbindung',
  component: pageOf(() => import('../features/anbindung/connect-page.tsx'), 'ConnectPage'),
});

const confirm = createRoute({
  getParentRoute: () => cockpit,
  path: '/email-bestaetigen',
  validateSearch: parseTokenSearch,
  component: pageOf(() => import('../features/zugang/confirm-page.tsx'), 'ConfirmPage'),
});

/** The settings; each section is a route below, listed in `settings-sections.ts`. */
const settings = createRoute({
  getParentRoute: () => cockpit,
  path: '/einstellungen',
  component: pageOf(() => import('./settings.tsx'), 'Settings'),
});

const settingsStart = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/einstellungen/profil' });
  },
});

const profile = createRoute({
  getParentRoute: () => settings,
  path: '/profil',
  component: pageOf(() => import('../features/zugang/profile-page.tsx'), 'ProfilePage'),
});

const security = createRoute({
  getParentRoute: () => settings,
  path: '/sicherheit',
  component: pageOf(() => import('../features/zugang/security-page.tsx'), 'SecurityPage'),
});

const users = createRoute({
  getParentRoute: () => settings,
  path: '/benutzer',
  validateSearch: parseUsersSearch,
  component: pageOf(() => import('../features/benutzer/users-page.tsx'), 'UsersPage'),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: '/schluessel',
  component: pageOf(() => import('../features/schluessel/keys-page.tsx'), 'KeysPage'),
});

const branding = createRoute({
  getParentRoute: () => settings,
  path: '/branding',
  component: pageOf(() => import('../features/mandant/branding-page.tsx'), 'BrandingPage'),
});

const alarms = createRoute({
  getParentRoute: () => settings,
  path: '/alarme',
  component: pageOf(() => import('../features/alarme/alarm-page.tsx'), 'AlarmPage'),
});

const companyAccount = createRoute({
  getParentRoute: () => settings,
  path: '/firmenkonto',
  component: pageOf(() => import('../features/sso/sso-page.tsx'), 'SsoPage'),
});

const pack = createRoute({
  getParentRoute: () => settings,
  path: '/paket',
  validateSearch: parsePackageSearch,
  component: pageOf(() => import('../features/buchung/package-page.tsx'), 'PackagePage'),
});

const agreement = createRoute({
  getParentRoute: () => settings,
  path: '/avv',
  component: pageOf(() => import('../features/mandant/avv-page.tsx'), 'AvvPage'),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/protokoll',
  validateSearch: parseAuditSearch,
  component: pageOf(() => import('../features/protokoll/audit-page.tsx'), 'AuditPage'),
});

const exportAll = createRoute({
  getParentRoute: () => settings,
  path: '/export',
  component: pageOf(() => import('../features/export/export-page.tsx'), 'ExportPage'),
});

const cancel = createRoute({
  getParentRoute: () => settings,
  path: '/kuendigung',
  component: pageOf(() => import('../features/kuendigung/cancel-page.tsx'), 'CancelPage'),
});

const routeTree = root.addChildren([
  login,
  register,
  forgot,
  reset,
  invitation,
  agreementToRead,
  farewell,
  cockpit.addChildren([
    overview,
    breakdown,
    agents,
    agent,
    runs,
    run,
    findings,
    finding,
    incidents,
    interventions,
    rules,
    newRule,
    rule,
    budgets,
    repricings,
    repricing,
    twin,
    connect,
    confirm,
    settings.addChildren([
      settingsStart,
      profile,
      security,
      users,
      keys,
      branding,
      alarms,
      companyAccount,
      pack,
      agreement,
      audit,
      exportAll,
      cancel,
    ]),
  ]),
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
