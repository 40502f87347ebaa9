/** What operators of the installation see: a frame and pages of their own. */
import { createRoute } from '@tanstack/react-router';
import { parseMandantenSearch, parseProtokollSearch } from '../../features/betreiber/search.ts';
import { officePageOf } from '../page-of.ts';
import { ShellError } from '../shell-error.tsx';
import { requireSession } from './cockpit.ts';
import { root } from './root.ts';

const operators = createRoute({
  getParentRoute: () => root,
  path: '/betreiber',
  beforeLoad: requireSession,
  component: officePageOf(() => import('../operator-shell.tsx'), 'OperatorShell'),
  errorComponent: ShellError,
});

const overview = createRoute({
  getParentRoute: () => operators,
  path: '/',
  component: officePageOf(() => import('../../features/betreiber/overview-page.tsx'), 'OverviewPage'),
});

const mandanten = createRoute({
  getParentRoute: () => operators,
  path: '/mandanten',
  validateSearch: parseMandantenSearch,
  component: officePageOf(() => import('../../features/betreiber/mandanten-page.tsx'), 'MandantenPage'),
});

const log = createRoute({
  getParentRoute: () => operators,
  path: '/protokoll',
  validateSearch: parseProtokollSearch,
  component: officePageOf(() => import('../../features/betreiber/log-page.tsx'), 'LogPage'),
});

const licences = createRoute({
  getParentRoute: () => operators,
  path: '/lizenzen',
  component: officePageOf(() => import('../../features/lizenzen/licences-page.tsx'), 'LicencesPage'),
});

export const operatorPages = operators.addChildren([overview, mandanten, licences, log]);
