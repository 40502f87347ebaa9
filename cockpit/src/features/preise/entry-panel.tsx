import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useMayPrice } from './use-book.ts';

interface EntryPanelProps {
  /** Group of its texts: title, what it is, how to add, what it says while it is empty. */
  texts: 'own' | 'discounts' | 'approved';
  isEmpty: boolean;
  /** Further buttons, before the one that adds. */
  actions?: ReactNode;
  onAdd: () => void;
  children: ReactNode;
}

/** A list of the price book, with what it is for and the way to add to it. */
export function EntryPanel({ texts, isEmpty, actions, onAdd, children }: EntryPanelProps) {
  const { t } = useTranslation();
  const may = useMayPrice();
  const aside = (
    <div className="flex flex-wrap items-center gap-2 py-1.5">
      {actions}
      {may && (
        <Button kind="primary" onClick={onAdd}>
          {t(`preise.${texts}.add`)}
        </Button>
      )}
    </div>
  );
  return (
    <Panel title={t(`preise.${texts}.title`)} aside={aside} flush>
      <p className="max-w-prose px-4 pb-3 text-sm text-ink-2">{t(`preise.${texts}.text`)}</p>
      {isEmpty ? (
        <div className="px-4 pb-4">
          <EmptyState title={t(`preise.${texts}.empty`)}>{t(`preise.${texts}.emptyText`)}</EmptyState>
        </div>
      ) : (
        <ul aria-label={t(`preise.${texts}.title`)} className="border-t">
          {children}
        </ul>
      )}
    </Panel>
  );
}
