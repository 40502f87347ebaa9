import { useQuery } from '@tanstack/react-query';
import { Link, Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ichQuery } from '../api/queries.ts';
import { UserZoneContext, ZoneContext } from '../format/use-format.ts';
import { buttonClass } from '../ui/button.tsx';
import { CheckIcon, CustomersIcon, LeftIcon, OverviewIcon, RunsIcon } from '../ui/icons.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { UserMenu } from './user-menu.tsx';

/** The pages of operators; each has its route in `routes/operators.ts`. */
const places = [
  { to: '/betreiber', name: 'overview', Icon: OverviewIcon },
  { to: '/betreiber/mandanten', name: 'mandanten', Icon: CustomersIcon },
  { to: '/betreiber/lizenzen', name: 'licences', Icon: CheckIcon },
  { to: '/betreiber/protokoll', name: 'log', Icon: RunsIcon },
] as const;

const placeClass =
  'flex items-center gap-2 rounded text-sm text-ink-2 hover:text-ink max-md:h-14 max-md:px-2 max-md:flex-col max-md:justify-center max-md:gap-0.5 max-md:text-2xs md:h-8 md:px-2 md:hover:bg-sunken data-[status=active]:font-medium data-[status=active]:text-accent md:data-[status=active]:bg-sunken md:data-[status=active]:text-ink';

function OperatorNavigation() {
  const { t } = useTranslation();
  return (
    <nav
      aria-label={t('shell.navigation')}
      className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:border-t max-md:bg-surface max-md:pb-[env(safe-area-inset-bottom)]"
    >
      <ul className="flex max-md:justify-around md:flex-col md:gap-0.5">
        {places.map(({ to, name, Icon }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: to === '/betreiber', includeSearch: false }}
              className={placeClass}
            >
              <Icon />
              {t(`betreiber.${name}`)}
            </Link>
          </li>
        ))}
        <li className="md:mt-3">
          <Link to="/" className={placeClass}>
            <LeftIcon />
            {t('betreiber.toCockpit')}
          </Link>
        </li>
      </ul>
    </nav>
  );
}

/** Says to other users that they are no operators, and leads them back. */
function NotForYou() {
  const { t } = useTranslation();
  return (
    <main className="mx-auto flex max-w-md flex-col items-start gap-4 px-4 py-24">
      <title>{`${t('betreiber.forbidden')} – Zählwerk`}</title>
      <h1 className="text-xl">{t('betreiber.forbidden')}</h1>
      <p className="text-ink-2">{t('betreiber.forbiddenText')}</p>
      <Link to="/" className={buttonClass('primary')}>
        {t('shell.toOverview')}
      </Link>
    </main>
  );
}

/** The frame of the pages of operators: apart from that of a Mandant, so that nobody takes one for the other. */
export function OperatorShell() {
  const { t } = useTranslation();
  const ich = useQuery(ichQuery).data;
  const [help, setHelp] = useState(false);
  if (!ich) return null;
  if (!ich.benutzer.betreiber) return <NotForYou />;
  return (
    <ZoneContext value={ich.mandant.zeitzone}>
      <UserZoneContext value={ich.benutzer.zeitzone}>
        <a
          href="#inhalt"
          className="fixed top-2 left-2 z-50 -translate-y-20 rounded bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
        >
          {t('shell.skip')}
        </a>
        <div className="md:grid md:min-h-dvh md:grid-cols-[13rem_minmax(0,1fr)]">
          <header className="sticky top-0 z-20 flex h-12 items-center gap-2 border-b bg-canvas px-4 md:h-dvh md:flex-col md:items-stretch md:gap-3 md:border-r md:border-b-0 md:p-3">
            <p className="flex min-w-0 grow items-center gap-2 font-semibold md:h-8 md:grow-0 md:px-2">
              <img src="/icon.svg" alt="" className="size-5" />
              <span className="truncate md:text-sm">{t('betreiber.title')}</span>
            </p>
            <OperatorNavigation />
            <div className="md:mt-auto">
              <UserMenu onHelp={() => setHelp(true)} />
            </div>
          </header>
          <main
            id="inhalt"
            tabIndex={-1}
            className="mx-auto w-full max-w-[100rem] min-w-0 px-4 pt-4 pb-24 outline-none md:px-6 md:pt-5 md:pb-10"
          >
            <Outlet />
          </main>
        </div>
        {help && <HelpDialog open onClose={() => setHelp(false)} />}
      </UserZoneContext>
    </ZoneContext>
  );
}
