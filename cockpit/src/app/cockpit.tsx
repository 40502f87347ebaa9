/** The whole of the cockpit: what was read, the pages, and what is said beside them. */
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type RouterHistory, RouterProvider } from '@tanstack/react-router';
import { isGate, sessionHasEnded, toLoginSearch } from '../features/zugang/search.ts';
import { QuietNotice } from '../ui/quiet-notice.tsx';
import { Toaster } from '../ui/toast.tsx';
import { createQueryClient } from './query-client.ts';
import { createCockpitRouter } from './router.ts';

interface CockpitProps {
  client: QueryClient;
  router: ReturnType<typeof createCockpitRouter>;
}

/** Pages over what was read; with the end of the session all of it is forgotten. Without a history, that of the browser. */
export function createCockpit(history?: RouterHistory): CockpitProps {
  const client = createQueryClient(() => {
    const { pathname, href } = router.state.location;
    if (isGate(pathname)) return;
    sessionHasEnded();
    client.clear();
    router.navigate({ to: '/anmelden', search: toLoginSearch(href) });
  });
  const router = createCockpitRouter(client);
  if (history) router.update({ ...router.options, history });
  return { client, router };
}

export function Cockpit({ client, router }: CockpitProps) {
  return (
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
      <Toaster />
      <QuietNotice />
    </QueryClientProvider>
  );
}
