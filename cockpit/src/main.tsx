import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Cockpit, createCockpit } from './app/cockpit.tsx';
import './app/app.css';
import { changeLanguage, startI18n } from './i18n/index.ts';
import { onPreferences, preferences } from './preferences.ts';
import { loadOverlaysAtFirstSign } from './ui/load-overlays.ts';

function applyPreferences(): Promise<void> {
  const { theme, language } = preferences();
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  return changeLanguage(language);
}

startI18n();
const ready = applyPreferences();
onPreferences(applyPreferences);
loadOverlaysAtFirstSign();

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
// Not in one language first and then in the other.
await ready;
createRoot(root).render(
  <StrictMode>
    <Cockpit {...createCockpit()} />
  </StrictMode>,
);
