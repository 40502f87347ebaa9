import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './app/query-client.ts';
import { createCockpitRouter } from './app/router.ts';
import './app/app.css';
import { isGate, sessionHasEnded, toLoginSearch } from './features/zugang/search.ts';
import { changeLanguage, startI18n } from './i18n/index.ts';
import { onPreferences, preferences } from './preferences.ts';
import { QuietNotice } from './ui/quiet-notice.tsx';
import { Toaster } from './ui/toast.tsx';

function applyPreferences(): Promise<void> {
  const { theme, language } = preferences();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  return changeLanguage(language);
}

startI18n();
const ready = applyPreferences();
onPreferences(applyPreferences);

const client = createQueryClient(() => {
  const { pathname, href } = router.state.location;
  if (isGate(pathname)) return;
  sessionHasEnded();
  client.clear();
  router.navigate({ to: '/anmelden', search: toLoginSearch(href) });
});
const router = createCockpitRouter(client);

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
// Not in one language first and then in the other.
await ready;
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
      <Toaster />
      <QuietNotice />
    </QueryClientProvider>
  </StrictMode>,
);
