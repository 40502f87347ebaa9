import { createRoute, redirect } from '@tanstack/react-router';
import { ApiError } from '../../api/error.ts';
import { ichQuery } from '../../api/queries.ts';
import { toLoginSearch } from '../../features/zugang/search.ts';
import { Shell } from '../shell.tsx';
import { ShellError } from '../shell-error.tsx';
import { root } from './root.ts';

/** Everything behind the login; who has no session is sent there and comes back afterwards. */
export const cockpit = createRoute({
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
