import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import {
  AgentsIcon,
  BreakdownIcon,
  ConnectIcon,
  OverviewIcon,
  RunsIcon,
  SettingsIcon,
} from '../ui/icons.tsx';

export const places = [
  { to: '/', name: 'overview', Icon: OverviewIcon },
  { to: '/agenten', name: 'agents', Icon: AgentsIcon },
  { to: '/aufschluesselung', name: 'breakdown', Icon: BreakdownIcon },
  { to: '/laeufe', name: 'runs', Icon: RunsIcon },
  // Who sets something up sits at a desk; an empty page leads there from a phone, too.
  { to: '/anbindung', name: 'connect', Icon: ConnectIcon, wide: true },
  { to: '/einstellungen', name: 'settings', Icon: SettingsIcon },
] as const;

/** The places, at the left of wide screens and at the bottom of narrow ones. */
export function Navigation() {
  const { t } = useTranslation();
  return (
    <nav
      aria-label={t('shell.navigation')}
      className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:border-t max-md:bg-surface max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="flex max-md:justify-around md:flex-col md:gap-0.5">
        {places.map(({ to, name, Icon, ...place }) => (
          <li key={to} className={`max-md:flex-auto ${'wide' in place ? 'max-md:hidden' : ''}`}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/', includeSearch: false }}
              className="flex items-center gap-2 rounded text-sm text-ink-2 hover:text-ink max-md:h-14 max-md:px-0.5 max-md:flex-col max-md:justify-center max-md:gap-0.5 max-md:text-2xs md:h-8 md:px-2 md:hover:bg-sunken data-[status=active]:font-medium data-[status=active]:text-accent md:data-[status=active]:bg-sunken md:data-[status=active]:text-ink"
            >
              <Icon />
              {t(`nav.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
