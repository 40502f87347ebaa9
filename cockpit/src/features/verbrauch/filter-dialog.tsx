import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { verbrauchQuery } from '../../api/queries.ts';
import { useFormat } from '../../format/use-format.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useNameOf } from './use-names.ts';
import type { View } from './use-view.ts';
import { DIMENSION_NAMES, type DimensionName, type Filter } from './view.ts';

const offered = 1_000;
const shownAtOnce = 50;

interface FilterDialogProps {
  view: View;
  onChoose: (filter: Filter) => void;
  onClose: () => void;
}

/** Chooses the value whose calls a page shows: of any dimension, by search. */
export function FilterDialog({ view, onChoose, onClose }: FilterDialogProps) {
  const { t } = useTranslation();
  const [dimension, setDimension] = useState<DimensionName>(view.filter?.dimension ?? 'endkunde');
  const [q, setQ] = useState('');
  const options = DIMENSION_NAMES.map((value) => ({ value, label: t(`ansicht.merkmal.${value}`) }));
  return (
    <Dialog open onClose={onClose} title={t('ansicht.filterTitle')} description={t('ansicht.filterHint')}>
      <SelectField
        label={t('ansicht.filterBy')}
        value={dimension}
        options={options}
        onChange={(value) => setDimension(value as DimensionName)}
      />
      <TextField
        label={t('ansicht.filterSearch')}
        type="search"
        value={q}
        onChange={(event) => setQ(event.target.value)}
      />
      <Values view={view} dimension={dimension} q={q} onChoose={onChoose} />
    </Dialog>
  );
}

interface ValuesProps extends Pick<FilterDialogProps, 'view' | 'onChoose'> {
  dimension: DimensionName;
  q: string;
}

function Values({ view, dimension, q, onChoose }: ValuesProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useNameOf(view.zeitraum);
  const { von, bis } = view;
  const { data, error, refetch } = useQuery(verbrauchQuery({ gruppe: dimension, von, bis, limit: offered }));
  if (error) return <LoadError error={error} onRetry={refetch} />;
  if (!data) return <Skeleton lines={6} height="h-7" />;
  const wanted = q.trim().toLocaleLowerCase('de');
  const found = data.zeilen.filter(({ schluessel }) =>
    `${schluessel} ${nameOf(dimension, schluessel)}`.toLocaleLowerCase('de').includes(wanted),
  );
  const amounts = format.moneyColumn(found.slice(0, shownAtOnce).map((row) => row.kosten_eur));
  return (
    <>
      <ul className="-mx-2 flex max-h-72 flex-col overflow-y-auto">
        {found.slice(0, shownAtOnce).map((row) => (
          <li key={row.schluessel}>
            <button
              type="button"
              className="flex min-h-8 w-full items-center gap-3 rounded px-2 text-left text-sm hover:bg-sunken"
              onClick={() => onChoose({ dimension, value: row.schluessel })}
            >
              <span className="min-w-0 grow truncate" title={row.schluessel}>
                {nameOf(dimension, row.schluessel)}
              </span>
              <span className="shrink-0 text-ink-2 tabular-nums">{amounts.text(row.kosten_eur)}</span>
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="text-sm text-ink-3">{t('ansicht.filterNone')}</p>}
      {data.weiter !== null && (
        <p className="text-xs text-ink-3">{t('ansicht.filterMore', { count: offered })}</p>
      )}
    </>
  );
}
