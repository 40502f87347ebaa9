import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { setPreferences, type Theme, usePreferences } from '../../preferences.ts';
import { linkClass } from '../../ui/button.tsx';
import { Segmented } from '../../ui/segmented.tsx';

interface GateProps {
  title: string;
  /** The other page: the question it answers, its name and address. */
  other?: { question: string; name: string; to: '/anmelden' | '/registrieren' } | undefined;
  /** For a text to read instead of a form. */
  wide?: boolean;
  children: ReactNode;
}

/** The next step of the same page is read from its heading, unless it begins with a field that has the focus. */
function useFocusOnNextStep(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  const before = useRef(title);
  useEffect(() => {
    if (before.current === title) return;
    before.current = title;
    if (document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return heading;
}

/** Frame of the pages before the cockpit: one form or text, the way to the other page, language and theme. */
export function Gate({ title, other, wide = false, children }: GateProps) {
  const heading = useFocusOnNextStep(title);
  return (
    <>
      <title>{`${title} – Zählwerk`}</title>
      <main className={`mx-auto flex min-h-dvh w-full flex-col px-4 py-8 ${wide ? 'max-w-2xl' : 'max-w-sm'}`}>
        <div className="my-auto">
          <p className="mb-6 flex items-center gap-2 text-base font-semibold">
            <img src="/icon.svg" alt="" className="size-6" />
            Zählwerk
          </p>
          <h1 ref={heading} tabIndex={-1} className="mb-4 text-xl outline-none">
            {title}
          </h1>
          <div className="flex flex-col gap-4">{children}</div>
          {other && (
            <p className="mt-6 border-t pt-4 text-sm text-ink-2">
              {other.question}{' '}
              <Link to={other.to} className={linkClass}>
                {other.name}
              </Link>
            </p>
          )}
        </div>
        <Look />
      </main>
    </>
  );
}

function Look() {
  const { t } = useTranslation();
  const { language, theme } = usePreferences();
  const languages = [
    { value: 'de' as const, label: 'Deutsch' },
    { value: 'en' as const, label: 'English' },
  ];
  const themes = (['system', 'light', 'dark'] as const).map((value) => ({
    value,
    label: t(`theme.${value}`),
  }));
  return (
    <div className="mt-8 flex flex-wrap justify-between gap-2">
      <Segmented
        label={t('language.label')}
        value={language}
        options={languages}
        onChange={(next) => setPreferences({ language: next })}
      />
      <Segmented<Theme>
        label={t('theme.label')}
        value={theme}
        options={themes}
        onChange={(next) => setPreferences({ theme: next })}
      />
    </div>
  );
}
