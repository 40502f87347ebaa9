import { createRoute, redirect } from '@tanstack/react-router';
import { parseUsersSearch } from '../../features/benutzer/search.ts';
import { parsePackageSearch } from '../../features/buchung/search.ts';
import { parseAuditSearch } from '../../features/protokoll/search.ts';
import { pageOf } from '../page-of.ts';
import { cockpit } from './cockpit.ts';

/** The settings; each section is a route below, listed in `settings-sections.ts`. */
const settings = createRoute({
  getParentRoute: () => cockpit,
  path: '/einstellungen',
  component: pageOf(() => import('../settings.tsx'), 'Settings'),
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
  component: pageOf(() => import('../../features/zugang/profile-page.tsx'), 'ProfilePage'),
});

const security = createRoute({
  getParentRoute: () => settings,
  path: '/sicherheit',
  component: pageOf(() => import('../../features/zugang/security-page.tsx'), 'SecurityPage'),
});

const users = createRoute({
  getParentRoute: () => settings,
  path: '/benutzer',
  validateSearch: parseUsersSearch,
  component: pageOf(() => import('../../features/benutzer/users-page.tsx'), 'UsersPage'),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: '/schluessel',
  component: pageOf(() => import('../../features/schluessel/keys-page.tsx'), 'KeysPage'),
});

const branding = createRoute({
  getParentRoute: () => settings,
  path: '/branding',
  component: pageOf(() => import('../../features/mandant/branding-page.tsx'), 'BrandingPage'),
});

const alarms = createRoute({
  getParentRoute: () => settings,
  path: '/alarme',
  component: pageOf(() => import('../../features/alarme/alarm-page.tsx'), 'AlarmPage'),
});

const companyAccount = createRoute({
  getParentRoute: () => settings,
  path: '/firmenkonto',
  component: pageOf(() => import('../../features/sso/sso-page.tsx'), 'SsoPage'),
});

const rates = createRoute({
  getParentRoute: () => settings,
  path: '/kurse',
  component: pageOf(() => import('../../features/mandant/rates-page.tsx'), 'RatesPage'),
});

const bookkeeping = createRoute({
  getParentRoute: () => settings,
  path: '/buchhaltung',
  component: pageOf(() => import('../../features/weiterbelastung/bookkeeping-page.tsx'), 'BookkeepingPage'),
});

const pack = createRoute({
  getParentRoute: () => settings,
  path: '/paket',
  validateSearch: parsePackageSearch,
  component: pageOf(() => import('../../features/buchung/package-page.tsx'), 'PackagePage'),
});

const agreement = createRoute({
  getParentRoute: () => settings,
  path: '/avv',
  component: pageOf(() => import('../../features/mandant/avv-page.tsx'), 'AvvPage'),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/protokoll',
  validateSearch: parseAuditSearch,
  component: pageOf(() => import('../../features/protokoll/audit-page.tsx'), 'AuditPage'),
});

const exportAll = createRoute({
  getParentRoute: () => settings,
  path: '/export',
  component: pageOf(() => import('../../features/export/export-page.tsx'), 'ExportPage'),
});

const cancel = createRoute({
  getParentRoute: () => settings,
  path: '/kuendigung',
  component: pageOf(() => import('../../features/kuendigung/cancel-page.tsx'), 'CancelPage'),
});

export const settingsPages = settings.addChildren([
  settingsStart,
  profile,
  security,
  users,
  keys,
  branding,
  alarms,
  companyAccount,
  rates,
  bookkeeping,
  pack,
  agreement,
  audit,
  exportAll,
  cancel,
]);
