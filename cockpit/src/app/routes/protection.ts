/** The pages of protection. */
import { createRoute } from '@tanstack/react-router';
import { parseFindingsSearch, parseIncidentsSearch } from '../../features/befunde/search.ts';
import { parseInterventionsSearch } from '../../features/eingriffe/search.ts';
import { keepView } from '../../features/verbrauch/search.ts';
import { parseTwinSearch } from '../../features/zwilling/search.ts';
import { pageOf } from '../page-of.ts';
import { cockpit } from './cockpit.ts';

const findings = createRoute({
  getParentRoute: () => cockpit,
  path: '/befunde',
  validateSearch: parseFindingsSearch,
  component: pageOf(() => import('../../features/befunde/findings-page.tsx'), 'FindingsPage'),
});

const finding = createRoute({
  getParentRoute: () => cockpit,
  path: '/befunde/$befund_id',
  component: pageOf(() => import('../../features/befunde/finding-page.tsx'), 'FindingPage'),
});

const incidents = createRoute({
  getParentRoute: () => cockpit,
  path: '/vorfaelle',
  validateSearch: parseIncidentsSearch,
  component: pageOf(() => import('../../features/befunde/incidents-page.tsx'), 'IncidentsPage'),
});

const interventions = createRoute({
  getParentRoute: () => cockpit,
  path: '/eingriffe',
  validateSearch: parseInterventionsSearch,
  component: pageOf(() => import('../../features/eingriffe/interventions-page.tsx'), 'InterventionsPage'),
});

const requests = createRoute({
  getParentRoute: () => cockpit,
  path: '/antraege',
  component: pageOf(() => import('../../features/antraege/requests-page.tsx'), 'RequestsPage'),
});

const rules = createRoute({
  getParentRoute: () => cockpit,
  path: '/regeln',
  component: pageOf(() => import('../../features/regeln/rules-page.tsx'), 'RulesPage'),
});

const newRule = createRoute({
  getParentRoute: () => cockpit,
  path: '/regeln/neu',
  component: pageOf(() => import('../../features/regeln/rule-page.tsx'), 'NewRulePage'),
});

const rule = createRoute({
  getParentRoute: () => cockpit,
  path: '/regeln/$regel_id',
  component: pageOf(() => import('../../features/regeln/rule-page.tsx'), 'RulePage'),
});

const budgets = createRoute({
  getParentRoute: () => cockpit,
  path: '/budgets',
  component: pageOf(() => import('../../features/budgets/budgets-page.tsx'), 'BudgetsPage'),
});

const twin = createRoute({
  getParentRoute: () => cockpit,
  path: '/zwilling',
  validateSearch: parseTwinSearch,
  search: { middlewares: [keepView((path) => path === '/zwilling')] },
  component: pageOf(() => import('../../features/zwilling/twin-page.tsx'), 'TwinPage'),
});

export const protection = [
  findings,
  finding,
  incidents,
  interventions,
  requests,
  rules,
  newRule,
  rule,
  budgets,
  twin,
] as const;
