/** What the command palette can do: go somewhere, change the period, change the look, leave. */
import { useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { agentenQuery, ansichtenQuery, ichQuery, laeufeQuery, verbrauchQuery } from '../api/queries.ts';
import { routes } from '../api/routes.ts';
import { addressOf, placeOf } from '../features/ansichten/search.ts';
import { addDays, filterSearch, shortcutOf, words } from '../features/verbrauch/search.ts';
import { useChooseLanguage } from '../features/zugang/index.ts';
import { useFormat } from '../format/use-format.ts';
import { setPreferences, usePreferences } from '../preferences.ts';
import { placesFor, protection } from './navigation.tsx';
import { sectionsFor } from './settings-sections.ts';
import { useLogout } from './user-menu.tsx';

export interface Command {
  id: string;
  group: 'go' | 'views' | 'runs' | 'agents' | 'values' | 'period' | 'actions';
  label: string;
  hint?: string | undefined;
  run: () => void;
}

function usePlaceCommands(): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const rechte = useQuery(ichQuery).data?.rechte ?? [];
  const own = placesFor(rechte);
  const months = own.some(({ name }) => name === 'customers')
    ? [{ to: '/abrechnung', name: 'months' } as const]
    : [];
  return [...own.filter((place) => !('within' in place)), ...protection, ...months].map(({ to, name }) => ({
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

/** The views the user keeps. */
function useViewCommands(): Command[] {
  const { t } = useTranslation();
  const { history } = useRouter();
  const { data } = useQuery(ansichtenQuery);
  return (data?.ansichten ?? []).map((view) => {
    const place = placeOf(view);
    return {
      id: view.ansicht_id,
      group: 'views',
      label: view.name,
      hint: place && t(`nav.${place}`),
      run: () => history.push(addressOf(view)),
    };
  });
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

const searchedDays = 30;
const searchedValues = ['endkunde', 'projekt', 'modell', 'funktion'] as const;

/** Values of the last days: customers, projects, models and functions, each with a page of its own. */
function useValueCommands(): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const format = useFormat();
  const today = format.dayOf(new Date());
  const [von, bis] = [addDays(today, -searchedDays), addDays(today, 1)];
  const answers = useQueries({
    queries: searchedValues.map((gruppe) => ({
      ...verbrauchQuery({ gruppe, von, bis, limit: 1_000 }),
      refetchInterval: false as const,
    })),
  });
  return searchedValues.flatMap((dimension, index) =>
    (answers[index]?.data?.zeilen ?? [])
      .filter(({ schluessel }) => schluessel !== '')
      .map(({ schluessel }) => ({
        id: `${dimension} ${schluessel}`,
        group: 'values' as const,
        label: schluessel,
        hint: t(`ansicht.merkmal.${dimension}`),
        run: () => navigate({ to: '/', search: filterSearch({ dimension, value: schluessel }) }),
      })),
  );
}

const beginningOfId = /^[0-9a-f-]{4,36}$/i;

/** Runs whose id begins with the text. */
function useRunCommands(text: string): Command[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const suche = text.trim();
  const { data } = useInfiniteQuery({
    ...laeufeQuery({ suche, limit: 5 }),
    enabled: beginningOfId.test(suche),
    refetchInterval: false,
  });
  const runs = data?.pages[0]?.laeufe ?? [];
  return runs
    .filter(({ lauf_id }) => lauf_id.startsWith(suche.toLowerCase()))
    .map(({ lauf_id, agent }) => ({
      id: lauf_id,
      group: 'runs' as const,
      label: t('laeufe.runOf', { agent }),
      hint: lauf_id,
      run: () => navigate({ to: '/laeufe/$lauf_id', params: { lauf_id } }),
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
  const reports = (
    [
      ['report', 'wochenbericht'],
      ['reportPdf', 'wochenberichtPdf'],
    ] as const
  ).map(([id, name]) => ({
    id,
    group: 'actions' as const,
    label: t(`palette.${id}`),
    run: () => window.open(routes[name][1], '_blank', 'noopener'),
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
    ...reports,
    { id: 'help', group: 'actions', label: t('shell.help'), hint: '?', run: onHelp },
    { id: 'logout', group: 'actions', label: t('shell.logout'), run: logout },
  ];
}

/** Without a search there are only places and actions. */
const mostFound = 40;

/** The commands that contain every word of the search text; the beginning of an id offers the runs it names. */
export function useCommands(text: string, open: boolean, onHelp: () => void): Command[] {
  const places = [...usePlaceCommands(), ...useSettingsCommands(), ...useViewCommands()];
  const runs = useRunCommands(text);
  const agents = useAgentCommands(open);
  const values = useValueCommands();
  const rest = [...usePeriodCommands(), ...useActionCommands(onHelp)];
  const parts = text.toLocaleLowerCase('de').split(/\s+/).filter(Boolean);
  const all =
    parts.length === 0 ? [...places, ...agents, ...rest] : [...places, ...agents, ...values, ...rest];
  const found = all.filter((command) => {
    const haystack = `${command.label} ${command.hint ?? ''}`.toLocaleLowerCase('de');
    return parts.every((part) => haystack.includes(part));
  });
  return [...runs, ...(parts.length === 0 ? found : found.slice(0, mostFound))];
}
