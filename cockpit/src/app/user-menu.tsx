import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { call } from '../api/call.ts';
import { ichQuery } from '../api/queries.ts';
import { useErrorText } from '../api/use-error-text.ts';
import { sessionIsLeft, useChooseLanguage } from '../features/zugang/index.ts';
import { setPreferences, type Theme, usePreferences } from '../preferences.ts';
import { UserIcon } from '../ui/icons.tsx';
import { Menu, MenuChoice, MenuHeading, MenuItem, MenuSeparator } from '../ui/menu.tsx';
import { toast } from '../ui/toast.tsx';
import { placesFor } from './navigation.tsx';

/** Ends the session and goes to the login. */
export function useLogout(): () => void {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { sentence } = useErrorText();
  const logout = useMutation({
    mutationFn: () => call('abmelden', {}),
    onSuccess: async () => {
      sessionIsLeft();
      await navigate({ to: '/anmelden' });
      client.clear();
    },
    onError: (error) => toast(sentence(error), 'harm'),
  });
  return () => logout.mutate();
}

function WhoAmI() {
  const { t } = useTranslation();
  const { data: ich } = useQuery(ichQuery);
  if (!ich) return null;
  return (
    <MenuHeading>
      <span className="block max-w-60 truncate">{ich.mandant.firma}</span>
      <span className="block max-w-60 truncate font-normal">{ich.benutzer.email}</span>
      <span className="block font-normal">{t(`rolle.${ich.benutzer.rolle}`)}</span>
    </MenuHeading>
  );
}

function Look() {
  const { t } = useTranslation();
  const { theme, language } = usePreferences();
  const chooseLanguage = useChooseLanguage();
  const themes = (['system', 'light', 'dark'] as const).map((value) => ({
    value,
    label: t(`theme.${value}`),
  }));
  const languages = [
    { value: 'de' as const, label: 'Deutsch' },
    { value: 'en' as const, label: 'English' },
  ];
  return (
    <>
      <MenuHeading>{t('theme.label')}</MenuHeading>
      <MenuChoice<Theme>
        label={t('theme.label')}
        value={theme}
        options={themes}
        onChange={(next) => setPreferences({ theme: next })}
      />
      <MenuHeading>{t('language.label')}</MenuHeading>
      <MenuChoice
        label={t('language.label')}
        value={language}
        options={languages}
        onChange={chooseLanguage}
      />
    </>
  );
}

/** Who is signed in, how the cockpit looks and speaks, and the way out. */
export function UserMenu({ onHelp }: { onHelp: () => void }) {
  const { t } = useTranslation();
  const { data: ich } = useQuery(ichQuery);
  const { email, betreiber } = ich?.benutzer ?? {};
  const logout = useLogout();
  const navigate = useNavigate();
  const trigger = (
    <button
      type="button"
      aria-label={`${t('shell.account')}: ${email ?? ''}`}
      className="flex min-h-8 min-w-8 items-center gap-2 rounded px-2 text-left text-sm text-ink-2 hover:bg-sunken hover:text-ink md:w-full"
    >
      <UserIcon />
      <span className="min-w-0 truncate max-md:sr-only">{email}</span>
    </button>
  );
  return (
    <Menu label={t('shell.account')} align="start" trigger={trigger}>
      <WhoAmI />
      <MenuSeparator />
      <Look />
      <MenuSeparator />
      {placesFor(ich?.rechte ?? []).map(
        (place) =>
          'wide' in place && (
            <MenuItem key={place.name} narrow onSelect={() => navigate({ to: place.to })}>
              {t(`nav.${place.name}`)}
            </MenuItem>
          ),
      )}
      <MenuItem onSelect={() => navigate({ to: '/einstellungen' })}>{t('nav.settings')}</MenuItem>
      {betreiber && (
        <MenuItem onSelect={() => navigate({ to: '/betreiber' })}>{t('shell.operators')}</MenuItem>
      )}
      <MenuItem onSelect={onHelp} shortcut="?">
        {t('shell.help')}
      </MenuItem>
      <MenuItem onSelect={() => navigate({ to: '/status' })}>{t('shell.status')}</MenuItem>
      <MenuItem onSelect={logout}>{t('shell.logout')}</MenuItem>
    </Menu>
  );
}
