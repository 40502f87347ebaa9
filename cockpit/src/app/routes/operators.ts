/** What operators of the installation see: a frame and pages of their own. */
import { createRoute } from '@tanstack/react-router';
import { parseMandantenSearch, parseProtokollSearch } from '../../features/betreiber/search.ts';
import { pageOf } from '../page-of.ts';
import { ShellError } from '../shell-error.tsx';
import { requireSession } from './cockpit.ts';
import { root } from './root.ts';

const operators = createRoute({
  getParentRoute: () => root,
  path: '/betreiber',
  beforeLoad: requireSession,
  component: pageOf(() => import('../operator-shell.tsx'), 'OperatorShell'),
  errorComponent: ShellError,
});

const overview = createRoute({
  getParentRoute: () => operators,
  path: '/',
  component: pageOf(() => import('../../features/betreiber/overview-page.tsx'), 'OverviewPage'),
});

const mandanten = createRoute({
  getParentRoute: () => operators,
  path: '/mandanten',
  validateSearch: parseMandantenSearch,
  component: pageOf(() => import('../../features/betreiber/mandanten-page.tsx'), 'MandantenPage'),
});

const log = createRoute({
  getParentRoute: () => operators,
  path: '/protokoll',
  validateSearch: parseProtokollSearch,
  component: pageOf(() => import('../../features/betreiber/log-page.tsx'), 'LogPage'),
});

const licences = createRoute({
  getParentRoute: () => operators,
  path: '/lizenzen',
  component: pageOf(() => import('../../features/lizenzen/licences-page.tsx'), 'LicencesPage'),
});

export const operatorPages = operators.addChildren([overview, mandanten, licences, log]);
