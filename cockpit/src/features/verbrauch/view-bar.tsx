import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/button.tsx';
import { CloseIcon, FilterIcon } from '../../ui/icons.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ViewsButton } from '../ansichten/index.ts';
import { PeriodPicker } from './period-picker.tsx';
import { useFilterName } from './use-names.ts';
import type { View } from './use-view.ts';
import { filterSearch, type ViewSearch } from './view.ts';

// Most looks at a page choose no filter.
const FilterDialog = lazy(async () => ({ default: (await import('./filter-dialog.tsx')).FilterDialog }));

interface ViewBarProps {
  view: View;
  onChange: (next: ViewSearch) => void;
  /** On pages of one agent the filter is the page itself. */
  filters?: boolean;
  compares?: boolean;
}

/** Filter, comparison, views and period of a page. */
export function ViewBar({ view, onChange: change, filters = true, compares = true }: ViewBarProps) {
  const { t } = useTranslation();
  const onChange = (next: ViewSearch) => change({ ...next, unlesbar: undefined });
  const nameOf = useFilterName(view.zeitraum);
  const [choosing, setChoosing] = useState(false);
  const { filter } = view;
  return (
    <>
      {filter && filters && (
        <Button
          onClick={() => onChange(filterSearch(null))}
          aria-label={t('ansicht.clear', { name: nameOf(filter) })}
        >
          <span className="max-w-56 truncate">{nameOf(filter)}</span>
          <CloseIcon className="text-ink-3" />
        </Button>
      )}
      {filters && (
        <Button onClick={() => setChoosing(true)}>
          <FilterIcon className="text-ink-3" />
          {t('ansicht.filter')}
        </Button>
      )}
      {compares && (
        <Button
          aria-pressed={view.compares}
          title={t('ansicht.compare')}
          onClick={() => onChange({ vergleich: view.compares ? 'aus' : undefined })}
        >
          {t(view.compares ? 'ansicht.comparing' : 'ansicht.notComparing')}
        </Button>
      )}
      <ViewsButton />
      <PeriodPicker zeitraum={view.zeitraum} onChange={(zeitraum) => onChange({ zeitraum })} />
      {choosing && (
        <Suspense>
          <FilterDialog
            view={view}
            onChoose={(chosen) => {
              setChoosing(false);
              onChange(filterSearch(chosen));
            }}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
    </>
  );
}

/** Says what of the address was not understood. */
export function UnreadableNotice({ of }: { of: ViewSearch }) {
  const { t } = useTranslation();
  return of.unlesbar ? <Notice>{t('ansicht.unreadable', { names: of.unlesbar })}</Notice> : null;
}
