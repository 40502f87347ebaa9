import { Popover } from 'radix-ui';
import { useTranslation } from 'react-i18next';
import type { de } from '../i18n/de.ts';
import { CloseIcon, InfoIcon } from './icons.tsx';

/** A term of the glossary in the texts, `begriffe`. */
export type TermName = Exclude<keyof typeof de.begriffe, 'ask'>;

/** A small button beside a term; pressed by mouse, finger or key it says what the term means. Stands in no other button. */
export function Term({ of, className = '' }: { of: TermName; className?: string }) {
  const { t } = useTranslation();
  const name = t(`begriffe.${of}.name`);
  return (
    <Popover.Root>
      <Popover.Trigger
        aria-label={t('begriffe.ask', { term: name })}
        className={`inline-flex size-6 shrink-0 items-center justify-center rounded align-middle text-ink-3 hover:bg-sunken hover:text-ink ${className}`}
      >
        <InfoIcon />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={name}
          sideOffset={4}
          collisionPadding={12}
          className="z-50 flex max-w-[min(20rem,calc(100vw-1.5rem))] items-start gap-2 rounded-lg border bg-surface p-3 text-sm text-ink-2 shadow-float"
        >
          <div>
            <p className="font-medium text-ink">{name}</p>
            <p className="mt-1">{t(`begriffe.${of}.text`)}</p>
          </div>
          <Popover.Close
            aria-label={t('ui.close')}
            className="inline-flex size-6 shrink-0 items-center justify-center rounded text-ink-3 hover:bg-sunken hover:text-ink"
          >
            <CloseIcon />
          </Popover.Close>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
