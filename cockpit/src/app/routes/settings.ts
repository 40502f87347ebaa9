import { createRoute, redirect } from '@tanstack/react-router';
import { parseUsersSearch } from '../../features/benutzer/search.ts';
import { parsePackageSearch } from '../../features/buchung/search.ts';
import { parseAuditSearch } from '../../features/protokoll/search.ts';
import { officePageOf } from '../page-of.ts';
import { cockpit } from './cockpit.ts';

/** The settings; each section is a route below, listed in `settings-sections.ts`. */
const settings = createRoute({
  getParentRoute: () => cockpit,
  path: '/einstellungen',
  component: officePageOf(() => import('../settings.tsx'), 'Settings'),
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
  component: officePageOf(() => import('../../features/zugang/profile-page.tsx'), 'ProfilePage'),
});

const security = createRoute({
  getParentRoute: () => settings,
  path: '/sicherheit',
  component: officePageOf(() => import('../../features/zugang/security-page.tsx'), 'SecurityPage'),
});

const users = createRoute({
  getParentRoute: () => settings,
  path: '/benutzer',
  validateSearch: parseUsersSearch,
  component: officePageOf(() => import('../../features/benutzer/users-page.tsx'), 'UsersPage'),
});

const keys = createRoute({
  getParentRoute: () => settings,
  path: '/schluessel',
  component: officePageOf(() => import('../../features/schluessel/keys-page.tsx'), 'KeysPage'),
});

const branding = createRoute({
  getParentRoute: () => settings,
  path: '/branding',
  component: officePageOf(() => import('../../features/mandant/branding-page.tsx'), 'BrandingPage'),
});

const alarms = createRoute({
  getParentRoute: () => settings,
  path: '/alarme',
  component: officePageOf(() => import('../../features/alarme/alarm-page.tsx'), 'AlarmPage'),
});

const companyAccount = createRoute({
  getParentRoute: () => settings,
  path: '/firmenkonto',
  component: officePageOf(() => import('../../features/sso/sso-page.tsx'), 'SsoPage'),
});

const rates = createRoute({
  getParentRoute: () => settings,
  path: '/kurse',
  component: officePageOf(() => import('../../features/mandant/rates-page.tsx'), 'RatesPage'),
});

const bookkeeping = createRoute({
  getParentRoute: () => settings,
  path: '/buchhaltung',
  component: officePageOf(
    () => import('../../features/weiterbelastung/bookkeeping-page.tsx'),
    'BookkeepingPage',
  ),
});

const pack = createRoute({
  getParentRoute: () => settings,
  path: '/paket',
  validateSearch: parsePackageSearch,
  component: officePageOf(() => import('../../features/buchung/package-page.tsx'), 'PackagePage'),
});

const agreement = createRoute({
  getParentRoute: () => settings,
  path: '/avv',
  component: officePageOf(() => import('../../features/mandant/avv-page.tsx'), 'AvvPage'),
});

const audit = createRoute({
  getParentRoute: () => settings,
  path: '/protokoll',
  validateSearch: parseAuditSearch,
  component: officePageOf(() => import('../../features/protokoll/audit-page.tsx'), 'AuditPage'),
});

const exportAll = createRoute({
  getParentRoute: () => settings,
  path: '/export',
  component: officePageOf(() => import('../../features/export/export-page.tsx'), 'ExportPage'),
});

const cancel = createRoute({
  getParentRoute: () => settings,
  path: '/kuendigung',
  component: officePageOf(() => import('../../features/kuendigung/cancel-page.tsx'), 'CancelPage'),
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
