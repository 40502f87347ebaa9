/** What end customers are charged: the list of them, their statements, the months. */
import { createRoute } from '@tanstack/react-router';
import {
  parseCustomersSearch,
  parseMonth,
  parseStatementSearch,
} from '../../features/weiterbelastung/search.ts';
import { officePageOf } from '../page-of.ts';
import { cockpit } from './cockpit.ts';

const customers = createRoute({
  getParentRoute: () => cockpit,
  path: '/endkunden',
  validateSearch: parseCustomersSearch,
  component: officePageOf(() => import('../../features/weiterbelastung/customers-page.tsx'), 'CustomersPage'),
});

const statement = createRoute({
  getParentRoute: () => cockpit,
  path: '/endkunden/abrechnung',
  validateSearch: parseStatementSearch,
  component: officePageOf(() => import('../../features/weiterbelastung/statement-page.tsx'), 'StatementPage'),
});

const months = createRoute({
  getParentRoute: () => cockpit,
  path: '/abrechnung',
  component: officePageOf(() => import('../../features/weiterbelastung/months-page.tsx'), 'MonthsPage'),
});

const mailings = createRoute({
  getParentRoute: () => cockpit,
  path: '/abrechnung/versand',
  validateSearch: parseMonth,
  component: officePageOf(() => import('../../features/weiterbelastung/mailings-page.tsx'), 'MailingsPage'),
});

const reconciliation = createRoute({
  getParentRoute: () => cockpit,
  path: '/abgleich',
  validateSearch: parseMonth,
  component: officePageOf(
    () => import('../../features/abgleich/reconciliation-page.tsx'),
    'ReconciliationPage',
  ),
});

const usage = createRoute({
  getParentRoute: () => cockpit,
  path: '/abgleich/nutzung',
  validateSearch: parseMonth,
  component: officePageOf(() => import('../../features/abgleich/usage-page.tsx'), 'UsagePage'),
});

export const billing = [customers, statement, months, mailings, reconciliation, usage] as const;
