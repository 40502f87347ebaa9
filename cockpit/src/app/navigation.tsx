import { useQuery } from '@tanstack/react-query';
import { Link, useRouterState } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { ichQuery } from '../api/queries.ts';
import {
  AgentsIcon,
  BreakdownIcon,
  ConnectIcon,
  CustomersIcon,
  OverviewIcon,
  PricesIcon,
  ProtectionIcon,
  ReconciliationIcon,
  RunsIcon,
  SettingsIcon,
} from '../ui/icons.tsx';

/** What protects: in the sidebar one below another, on narrow screens behind one entry and in a row on top of its pages. */
export const protection = [
  { to: '/vorfaelle', name: 'incidents' },
  { to: '/befunde', name: 'findings' },
  { to: '/eingriffe', name: 'interventions' },
  { to: '/antraege', name: 'requests' },
  { to: '/regeln', name: 'rules' },
  { to: '/budgets', name: 'budgets' },
  { to: '/zwilling', name: 'twin' },
] as const;

const places = [
  { to: '/', name: 'overview', Icon: OverviewIcon },
  { to: '/agenten', name: 'agents', Icon: AgentsIcon },
  { to: '/aufschluesselung', name: 'breakdown', Icon: BreakdownIcon },
  { to: '/laeufe', name: 'runs', Icon: RunsIcon },
  {
    to: '/endkunden',
    name: 'customers',
    Icon: CustomersIcon,
    right: 'weiterbelastung.verwalten',
    with: '/abrechnung',
  },
  {
    to: '/abgleich',
    name: 'reconciliation',
    Icon: ReconciliationIcon,
    right: 'weiterbelastung.verwalten',
    wide: true,
  },
  { to: '/vorfaelle', name: 'protection', Icon: ProtectionIcon, within: protection },
  // Who sets something up sits at a desk; on a phone the user menu leads there.
  { to: '/preise', name: 'prices', Icon: PricesIcon, wide: true },
  { to: '/anbindung', name: 'connect', Icon: ConnectIcon, wide: true },
  { to: '/einstellungen', name: 'settings', Icon: SettingsIcon },
] as const;

type Place = (typeof places)[number];

/** The places that somebody with these rights may go to. */
export const placesFor = (rechte: readonly string[]): readonly Place[] =>
  places.filter((place) => !('right' in place) || rechte.includes(place.right));

const placeClass =
  'flex items-center gap-2 rounded text-sm text-ink-2 hover:text-ink max-md:h-14 max-md:px-0.5 max-md:flex-col max-md:justify-center max-md:gap-0.5 max-md:text-2xs md:h-8 md:px-2 md:hover:bg-sunken data-[status=active]:font-medium data-[status=active]:text-accent md:data-[status=active]:bg-sunken md:data-[status=active]:text-ink';

/** Whether one of the pages of protection is open. */
const useIsWithin = () =>
  useRouterState({
    select: ({ location }) => protection.some(({ to }) => location.pathname.startsWith(to)),
  });

/** The entry of protection: on narrow screens a place like any other, on wide ones a heading with its pages below. */
function ProtectionPlace({ place: { to, name, Icon } }: { place: Place }) {
  const { t } = useTranslation();
  const isWithin = useIsWithin();
  return (
    <>
      <Link
        to={to}
        activeOptions={{ includeSearch: false }}
        className={`${placeClass} md:hidden`}
        {...(isWithin ? { 'data-status': 'active' } : {})}
      >
        <Icon />
        {t(`nav.${name}`)}
      </Link>
      <p id="nav-schutz" className="flex h-8 items-center gap-2 px-2 text-sm text-ink-3 max-md:hidden">
        <Icon />
        {t(`nav.${name}`)}
      </p>
      <ul aria-labelledby="nav-schutz" className="flex flex-col gap-0.5 max-md:hidden">
        {protection.map((page) => (
          <li key={page.to}>
            <Link to={page.to} activeOptions={{ includeSearch: false }} className={`${placeClass} md:pl-8`}>
              {t(`nav.${page.name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Where a place has no room. Phones held upright do not take all of them, and the user menu leads to the settings, too. */
function hiddenOf(place: Place, shown: number): string {
  if ('wide' in place) return 'max-md:hidden';
  return place.name === 'settings' && shown === places.length ? 'max-[27rem]:hidden' : '';
}

/** The places, at the left of wide screens and at the bottom of narrow ones. */
export function Navigation() {
  const { t } = useTranslation();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const all = placesFor(useQuery(ichQuery).data?.rechte ?? []);
  return (
    <nav
      aria-label={t('shell.navigation')}
      className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:border-t max-md:bg-surface max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="flex max-md:justify-around md:flex-col md:gap-0.5">
        {all.map((place) => (
          <li key={place.name} className={`max-md:flex-auto ${hiddenOf(place, all.length)}`}>
            {'within' in place ? (
              <ProtectionPlace place={place} />
            ) : (
              <Link
                to={place.to}
                activeOptions={{ exact: place.to === '/', includeSearch: false }}
                className={placeClass}
                {...('with' in place && path.startsWith(place.with) ? { 'data-status': 'active' } : {})}
              >
                <place.Icon />
                {t(`nav.${place.name}`)}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** On narrow screens: the pages of protection, on top of each of them. */
export function ProtectionRow() {
  const { t } = useTranslation();
  if (!useIsWithin()) return null;
  return (
    <nav
      aria-label={t('nav.protection')}
      className="-mx-4 -mt-4 mb-4 overflow-x-auto border-b px-2 md:hidden"
    >
      <ul className="flex">
        {protection.map(({ to, name }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ includeSearch: false }}
              className="flex h-10 items-center border-b-2 border-transparent px-2 text-sm whitespace-nowrap text-ink-2 data-[status=active]:border-accent data-[status=active]:font-medium data-[status=active]:text-ink"
            >
              {t(`nav.${name}`)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
