import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { Fragment, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { ichQuery } from '../api/queries.ts';
import { Notice } from '../ui/notice.tsx';
import { sections, sectionsFor } from './settings-sections.ts';

type Sections = ReturnType<typeof sectionsFor>;

const groups = ['selbst', 'mandant'] as const;

/** Keeps the current section in sight where the list is one row that scrolls. */
function useCurrentInSight(path: string) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const current = list.current?.querySelector(`a[href="${path}"]`);
    if (current instanceof HTMLElement) list.current?.scrollTo({ left: current.offsetLeft - 16 });
  }, [path]);
  return list;
}

/** At the left of wide screens; on narrow ones a row that scrolls sideways. */
function SectionNavigation({ shown, path }: { shown: Sections; path: string }) {
  const { t } = useTranslation();
  const list = useCurrentInSight(path);
  return (
    <nav aria-label={t('einstellungen.title')} className="min-w-0 md:sticky md:top-5 md:self-start">
      <div
        ref={list}
        className="relative flex gap-1 max-md:-mx-4 max-md:overflow-x-auto max-md:border-b max-md:px-4 md:flex-col"
      >
        {groups.map((group) => {
          const own = shown.filter((section) => section.group === group);
          return (
            own.length > 0 && (
              <Fragment key={group}>
                <p
                  id={`gruppe-${group}`}
                  className="px-2 pb-1 text-xs text-ink-3 not-first:pt-3 max-md:sr-only"
                >
                  {t(`einstellungen.group.${group}`)}
                </p>
                <ul aria-labelledby={`gruppe-${group}`} className="flex gap-1 md:flex-col md:gap-0.5">
                  {own.map((section) => (
                    <li key={section.name}>
                      <SectionLink section={section} />
                    </li>
                  ))}
                </ul>
              </Fragment>
            )
          );
        })}
      </div>
    </nav>
  );
}

function SectionLink({ section }: { section: Sections[number] }) {
  const { t } = useTranslation();
  return (
    <Link
      to={section.to}
      className="flex items-center px-2 text-sm whitespace-nowrap text-ink-2 hover:text-ink data-[status=active]:font-medium data-[status=active]:text-ink max-md:h-10 max-md:border-b-2 max-md:border-transparent max-md:data-[status=active]:border-accent md:h-8 md:rounded md:hover:bg-sunken md:data-[status=active]:bg-sunken"
    >
      {t(`einstellungen.section.${section.name}`)}
    </Link>
  );
}

/** The frame of the settings: the sections the user may open, and the open one. */
export function Settings() {
  const { t } = useTranslation();
  const rechte = useQuery(ichQuery).data?.rechte ?? [];
  const path = useRouterState({ select: (state) => state.location.pathname });
  const shown = sectionsFor(rechte);
  const barred = sections.some((section) => section.to === path) && !shown.some(({ to }) => to === path);
  return (
    <div className="grid gap-x-8 gap-y-4 md:grid-cols-[9rem_minmax(0,1fr)]">
      <SectionNavigation shown={shown} path={path} />
      <div className="min-w-0">
        {barred ? <Notice tone="warn">{t('error.forbidden')}</Notice> : <Outlet />}
      </div>
    </div>
  );
}
