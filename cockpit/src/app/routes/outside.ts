/** The pages before the login, and the farewell. */
import { createRoute } from '@tanstack/react-router';
import { parseLoginSearch, parseTokenSearch } from '../../features/zugang/search.ts';
import { officePageOf } from '../page-of.ts';
import { root } from './root.ts';

const login = createRoute({
  getParentRoute: () => root,
  path: '/anmelden',
  validateSearch: parseLoginSearch,
  component: officePageOf(() => import('../../features/zugang/login-page.tsx'), 'LoginPage'),
});

const register = createRoute({
  getParentRoute: () => root,
  path: '/registrieren',
  component: officePageOf(() => import('../../features/zugang/register-page.tsx'), 'RegisterPage'),
});

const forgot = createRoute({
  getParentRoute: () => root,
  path: '/passwort-vergessen',
  component: officePageOf(() => import('../../features/zugang/forgot-page.tsx'), 'ForgotPage'),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: '/passwort-neu',
  validateSearch: parseTokenSearch,
  component: officePageOf(() => import('../../features/zugang/reset-page.tsx'), 'ResetPage'),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/einladung',
  validateSearch: parseTokenSearch,
  component: officePageOf(() => import('../../features/zugang/invitation-page.tsx'), 'InvitationPage'),
});

const receipt = createRoute({
  getParentRoute: () => root,
  path: '/post',
  validateSearch: parseTokenSearch,
  component: officePageOf(() => import('../../features/postausgang/receipt-page.tsx'), 'ReceiptPage'),
});

const agreementToRead = createRoute({
  getParentRoute: () => root,
  path: '/avv',
  component: officePageOf(() => import('../../features/mandant/agreement-page.tsx'), 'AgreementPage'),
});

const farewell = createRoute({
  getParentRoute: () => root,
  path: '/abschied',
  component: officePageOf(() => import('../../features/kuendigung/farewell-page.tsx'), 'FarewellPage'),
});

const status = createRoute({
  getParentRoute: () => root,
  path: '/status',
  component: officePageOf(() => import('../../features/system/status-page.tsx'), 'StatusPage'),
});

export const outside = [
  login,
  register,
  forgot,
  reset,
  invitation,
  receipt,
  agreementToRead,
  farewell,
  status,
] as const;
