import { createRoute, redirect } from '@tanstack/react-router';
import { ApiError } from '../../api/error.ts';
import { ichQuery } from '../../api/queries.ts';
import { toLoginSearch } from '../../features/zugang/search.ts';
import { NotFoundInside } from '../not-found.tsx';
import { Shell } from '../shell.tsx';
import { ShellError } from '../shell-error.tsx';
import { type RouterContext, root } from './root.ts';

/** Who has no session is sent to the login and comes back afterwards. */
export async function requireSession({
  context,
  location,
}: {
  context: RouterContext;
  location: { href: string };
}): Promise<void> {
  try {
    await context.client.ensureQueryData(ichQuery);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    throw redirect({ to: '/anmelden', search: toLoginSearch(location.href) });
  }
}

/** Everything of a Mandant behind the login. */
export const cockpit = createRoute({
  getParentRoute: () => root,
  id: 'cockpit',
  beforeLoad: requireSession,
  component: Shell,
  errorComponent: ShellError,
});

/** An address that leads nowhere keeps the way to what there is. */
export const nowhere = createRoute({
  getParentRoute: () => cockpit,
  path: '$',
  component: NotFoundInside,
});
