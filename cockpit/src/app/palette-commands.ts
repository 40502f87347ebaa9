/** What the command palette can do: go somewhere, change the period, change the look, leave. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { agentenQuery, ichQuery } from '../api/queries.ts';
import { shortcutOf, words } from '../features/verbrauch/search.ts';
import { useChooseLanguage } from '../features/zugang/index.ts';
import { setPreferences, usePreferences } from '../preferences.ts';
import { places } from './navigation.tsx';
import { sectionsFor } from './settings-sections.ts';
import { useLogout } from './user-menu.tsx';

export interface Command {
  id: string;
  group: 'go' | 'agents' | 'period' | 'actions';
  label: string;
  hint?: string | undefined;
  run: () => void;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function usePlaceCommands(): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return places.map(({ to, name }) => ({
    id: to,
    group: 'go',
    label: t(`nav.${name}`),
    run: () => navigate({ to }),
  }));
}

function useSettingsCommands(): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const rechte = useQuery(ichQuery).data?.rechte ?? [];
  return sectionsFor(rechte).map(({ to, name }) => ({
    id: to,
    group: 'go',
    label: t(`einstellungen.section.${name}`),
    hint: t('einstellungen.title'),
    run: () => navigate({ to }),
  }));
}

function useAgentCommands(enabled: boolean): Command[] {
  const navigate = useNavigate();
  const { data } = useQuery({ ...agentenQuery('30tage'), enabled });
  return (data?.agenten ?? []).map((agent) => ({
    id: agent.agent_id,
    group: 'agents',
    label: agent.name,
    hint: agent.name === agent.schluessel ? agent.projekt : agent.schluessel,
    run: () => navigate({ to: '/agenten/$agent_id', params: { agent_id: agent.agent_id } }),
  }));
}

function usePeriodCommands(): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return words.map((word) => ({
    id: word,
    group: 'period',
    label: t('palette.period', { zeitraum: t(`zeitraum.${word}`) }),
    hint: shortcutOf[word],
    run: () => navigate({ to: '/', search: { zeitraum: word } }),
  }));
}

function useActionCommands(onHelp: () => void): Command[] {
  const { t } = useTranslation();
  const { language } = usePreferences();
  const chooseLanguage = useChooseLanguage();
  const logout = useLogout();
  const themes = (['system', 'light', 'dark'] as const).map((theme) => ({
    id: `theme-${theme}`,
    group: 'actions' as const,
    label: t('palette.theme', { theme: t(`theme.${theme}`) }),
    run: () => setPreferences({ theme }),
  }));
  const other = language === 'de' ? 'en' : 'de';
  return [
    ...themes,
    {
      id: 'language',
      group: 'actions',
      label: t('palette.language', { language: other === 'en' ? 'English' : 'Deutsch' }),
      run: () => chooseLanguage(other),
    },
    { id: 'help', group: 'actions', label: t('shell.help'), hint: '?', run: onHelp },
    { id: 'logout', group: 'actions', label: t('shell.logout'), run: logout },
  ];
}

/** The commands that contain every word of the search text; an id of a run offers that run. */
export function useCommands(text: string, open: boolean, onHelp: () => void): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const all = [
    ...usePlaceCommands(),
    ...useSettingsCommands(),
    ...useAgentCommands(open),
    ...usePeriodCommands(),
    ...useActionCommands(onHelp),
  ];
  const lauf_id = text.trim().toLowerCase();
  if (uuid.test(lauf_id)) {
    const run = () => navigate({ to: '/laeufe/$lauf_id', params: { lauf_id } });
    return [{ id: 'run', group: 'go', label: t('palette.openRun'), hint: lauf_id, run }];
  }
  const parts = text.toLocaleLowerCase('de').split(/\s+/).filter(Boolean);
  return all.filter((command) => {
    const haystack = `${command.label} ${command.hint ?? ''}`.toLocaleLowerCase('de');
    return parts.every((part) => haystack.includes(part));
  });
}
