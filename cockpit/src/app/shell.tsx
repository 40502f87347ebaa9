import { useQuery } from '@tanstack/react-query';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ichQuery } from '../api/queries.ts';
import type { Ich } from '../api/types.ts';
import { sessionIsOpen, UnconfirmedNotice } from '../features/zugang/index.ts';
import { UserZoneContext, ZoneContext } from '../format/use-format.ts';
import { loadTexts } from '../i18n/index.ts';
import { setPreferences, usePreferences } from '../preferences.ts';
import { SearchIcon } from '../ui/icons.tsx';
import { Kbd } from '../ui/kbd.tsx';
import { focusSearch, moveRow } from '../ui/row-keys.ts';
import { ShortcutsContext, useShortcuts } from '../ui/use-shortcuts.ts';
import { Navigation, ProtectionRow } from './navigation.tsx';
import { UserMenu } from './user-menu.tsx';

const HelpDialog = lazy(async () => ({ default: (await import('./help-dialog.tsx')).HelpDialog }));
const loadPalette = () => import('./palette.tsx');
/** It names what is on other pages, too. */
const Palette = lazy(async () => {
  const [{ Palette: palette }] = await Promise.all([loadPalette(), loadTexts('later', 'office')]);
  return { default: palette };
});

/** After a change of page the focus moves to its content, so that it is read from the top. */
function useFocusOnNavigation() {
  const main = useRef<HTMLElement>(null);
  const path = useRouterState({ select: (state) => state.resolvedLocation?.pathname });
  const before = useRef(path);
  useEffect(() => {
    if (before.current !== undefined && before.current !== path) main.current?.focus({ preventScroll: true });
    before.current = path;
  }, [path]);
  return main;
}

function usePaletteKey(toggle: () => void) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      toggle();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [toggle]);
}

/** The single keys of every page; stands inside the context that may switch them off. */
function SingleKeys({ onHelp, onPalette }: { onHelp: () => void; onPalette: () => void }) {
  useShortcuts({
    '?': onHelp,
    j: () => moveRow(1),
    k: () => moveRow(-1),
    '/': () => {
      if (!focusSearch()) onPalette();
    },
  });
  return null;
}

function PaletteButton({ onOpen }: { onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      onClick={onOpen}
      onPointerEnter={loadPalette}
      onFocus={loadPalette}
      className="flex h-8 min-w-8 items-center gap-2 rounded px-2 text-sm text-ink-2 hover:bg-sunken md:w-full md:border md:bg-surface"
    >
      <SearchIcon />
      <span className="grow text-left max-md:sr-only">{t('palette.open')}</span>
      <span className="max-md:hidden">
        <Kbd>{t('palette.key')}</Kbd>
      </span>
    </button>
  );
}

interface SidebarProps {
  firma: string | undefined;
  onPalette: () => void;
  onHelp: () => void;
}

/** At the left of wide screens; on narrow ones a bar at the top, with the navigation at the bottom. */
function Sidebar({ firma, onPalette, onHelp }: SidebarProps) {
  return (
    <header className="sticky top-0 z-20 flex h-12 items-center gap-2 border-b bg-canvas px-4 md:h-dvh md:flex-col md:items-stretch md:gap-3 md:border-r md:border-b-0 md:p-3">
      <p className="flex min-w-0 grow items-center gap-2 font-semibold md:h-8 md:grow-0 md:px-2">
        <img src="/icon.svg" alt="" className="size-5" />
        <span className="truncate md:line-clamp-2 md:text-sm md:leading-4 md:whitespace-normal" title={firma}>
          {firma}
        </span>
      </p>
      <PaletteButton onOpen={onPalette} />
      <Navigation />
      <div className="md:mt-auto">
        <UserMenu onHelp={onHelp} />
      </div>
    </header>
  );
}

function SkipLink() {
  const { t } = useTranslation();
  return (
    <a
      href="#inhalt"
      className="fixed top-2 left-2 z-50 -translate-y-20 rounded bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
    >
      {t('shell.skip')}
    </a>
  );
}

/** The language the user chose comes along to every browser. */
function useOwnLanguage(sprache: Ich['benutzer']['sprache'] | undefined) {
  useEffect(() => {
    if (sprache) setPreferences({ language: sprache });
  }, [sprache]);
}

/** Remembered, so that the sign-in can say when it is over. */
function useOpenSession(isOpen: boolean) {
  useEffect(() => {
    if (isOpen) sessionIsOpen();
  }, [isOpen]);
}

/** The frame of every page behind the login: navigation, search, account, content. */
export function Shell() {
  const ich = useQuery(ichQuery).data;
  const mandant = ich?.mandant;
  const { shortcuts } = usePreferences();
  const [palette, setPalette] = useState(false);
  const [help, setHelp] = useState(false);
  const main = useFocusOnNavigation();
  usePaletteKey(() => setPalette((open) => !open));
  useOwnLanguage(ich?.benutzer.sprache);
  useOpenSession(ich !== undefined);
  const openHelp = () => setHelp(true);
  return (
    <ZoneContext value={mandant?.zeitzone ?? 'Europe/Berlin'}>
      <UserZoneContext value={ich?.benutzer.zeitzone ?? null}>
        <ShortcutsContext value={shortcuts}>
          <SingleKeys onHelp={openHelp} onPalette={() => setPalette(true)} />
          <SkipLink />
          <div className="md:grid md:min-h-dvh md:grid-cols-[13rem_minmax(0,1fr)]">
            <Sidebar firma={mandant?.firma} onPalette={() => setPalette(true)} onHelp={openHelp} />
            <main
              ref={main}
              id="inhalt"
              tabIndex={-1}
              className="mx-auto w-full max-w-[100rem] min-w-0 px-4 pt-4 pb-24 outline-none md:px-6 md:pt-5 md:pb-10"
            >
              <ProtectionRow />
              {ich && <UnconfirmedNotice benutzer={ich.benutzer} />}
              <Outlet />
            </main>
          </div>
          <Suspense>
            {palette && <Palette open onClose={() => setPalette(false)} onHelp={openHelp} />}
            {help && <HelpDialog open onClose={() => setHelp(false)} />}
          </Suspense>
        </ShortcutsContext>
      </UserZoneContext>
    </ZoneContext>
  );
}
