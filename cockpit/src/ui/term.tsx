import { lazy, Suspense, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { de } from '../i18n/de.ts';
import { InfoIcon } from './icons.tsx';
import { loadOverlays } from './load-overlays.ts';

const TermPanel = lazy(async () => ({ default: (await loadOverlays()).TermPanel }));

/** A term of the glossary in the texts, `begriffe`. */
export type TermName = Exclude<keyof typeof de.begriffe, 'ask'>;

/** A small button beside a term; pressed by mouse, finger or key it says what the term means. Stands in no other button. */
export function Term({ of, className = '' }: { of: TermName; className?: string }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const panelId = useId();
  const name = t(`begriffe.${of}.name`);
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-label={t('begriffe.ask', { term: name })}
        aria-haspopup="dialog"
        aria-expanded={open}
        aria-controls={open ? panelId : undefined}
        onClick={() => setOpen(!open)}
        className={`inline-flex size-6 shrink-0 items-center justify-center rounded align-middle text-ink-3 hover:bg-sunken hover:text-ink ${className}`}
      >
        <InfoIcon />
      </button>
      {open && (
        <Suspense>
          <TermPanel id={panelId} name={name} button={button} onClose={() => setOpen(false)}>
            {t(`begriffe.${of}.text`)}
          </TermPanel>
        </Suspense>
      )}
    </>
  );
}
