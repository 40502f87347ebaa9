/** What is set up once: the connection, prices, one's address. */
import { createRoute } from '@tanstack/react-router';
import { parseRepricingSearch } from '../../features/neubepreisung/search.ts';
import { parsePricesSearch } from '../../features/preise/search.ts';
import { parseTokenSearch } from '../../features/zugang/search.ts';
import { pageOf } from '../page-of.ts';
import { cockpit } from './cockpit.ts';

const prices = createRoute({
  getParentRoute: () => cockpit,
  path: '/preise',
  validateSearch: parsePricesSearch,
  component: pageOf(() => import('../../features/preise/prices-page.tsx'), 'PricesPage'),
});

const repricings = createRoute({
  getParentRoute: () => cockpit,
  path: '/preise/neubepreisung',
  component: pageOf(() => import('../../features/neubepreisung/repricings-page.tsx'), 'RepricingsPage'),
});

const repricing = createRoute({
  getParentRoute: () => cockpit,
  path: '/preise/neubepreisung/$neubepreisung_id',
  validateSearch: parseRepricingSearch,
  component: pageOf(() => import('../../features/neubepreisung/repricing-page.tsx'), 'RepricingPage'),
});

const connect = createRoute({
  getParentRoute: () => cockpit,
  path: '/anbindung',
  component: pageOf(() => import('../../features/anbindung/connect-page.tsx'), 'ConnectPage'),
});

const codingAgents = createRoute({
  getParentRoute: () => cockpit,
  path: '/anbindung/coding-agents',
  component: pageOf(() => import('../../features/anbindung/coding-agents-page.tsx'), 'CodingAgentsPage'),
});

const imports = createRoute({
  getParentRoute: () => cockpit,
  path: '/anbindung/importe',
  component: pageOf(() => import('../../features/importe/imports-page.tsx'), 'ImportsPage'),
});

const oneImport = createRoute({
  getParentRoute: () => cockpit,
  path: '/anbindung/importe/$import_id',
  component: pageOf(() => import('../../features/importe/import-page.tsx'), 'ImportPage'),
});

const confirm = createRoute({
  getParentRoute: () => cockpit,
  path: '/email-bestaetigen',
  validateSearch: parseTokenSearch,
  component: pageOf(() => import('../../features/zugang/confirm-page.tsx'), 'ConfirmPage'),
});

export const settingUp = [
  prices,
  repricings,
  repricing,
  connect,
  codingAgents,
  imports,
  oneImport,
  confirm,
] as const;
