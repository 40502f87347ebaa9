import { useInfiniteQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AlarmFilter, alarmeQuery } from '../../api/queries.ts';
import type { Alarm } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/field.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { AlarmCell, DeliveriesCell } from './log-cells.tsx';

const levels = ['beobachten', 'warnen', 'drosseln', 'anhalten', 'sperren'] as const;
const states = ['wartet', 'zugestellt', 'aufgegeben', 'entfallen'] as const;

interface FiltersProps {
  filter: AlarmFilter;
  onChange: (filter: AlarmFilter) => void;
}

function Filters({ filter, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const all = { value: '', label: t('alarme.log.all') };
  return (
    <div className="flex flex-wrap items-start gap-2 border-b px-4 pt-1 pb-3">
      <div className="w-full sm:w-52">
        <SelectField
          label={t('alarme.log.level')}
          value={filter.stufe ?? ''}
          options={[all, ...levels.map((value) => ({ value, label: t(`alarme.level.${value}`) }))]}
          onChange={(value) => {
            const { stufe: _, ...others } = filter;
            onChange(value ? { ...others, stufe: value as (typeof levels)[number] } : others);
          }}
        />
      </div>
      <div className="w-full sm:w-52">
        <SelectField
          label={t('alarme.log.delivery')}
          value={filter.status ?? ''}
          options={[all, ...states.map((value) => ({ value, label: t(`alarme.state.${value}`) }))]}
          onChange={(value) => {
            const { status: _, ...others } = filter;
            onChange(value ? { ...others, status: value as (typeof states)[number] } : others);
          }}
        />
      </div>
    </div>
  );
}

function useAlarmColumns(): DataColumn<Alarm>[] {
  const { t } = useTranslation();
  const { text, instant } = useColumns();
  return useMemo(
    () => [
      instant('zeitpunkt', t('alarme.log.time'), (alarm) => alarm.zeitpunkt, { from: 'md' }),
      text('alarm', t('alarme.log.alarm'), (alarm) => alarm.titel.de, {
        cell: (alarm) => <AlarmCell alarm={alarm} />,
        grow: true,
      }),
      text('zustellungen', t('alarme.log.deliveries'), () => null, {
        cell: (alarm) => <DeliveriesCell alarm={alarm} />,
        from: 'lg',
      }),
    ],
    [t, text, instant],
  );
}

function Rows({ filter, onReset }: { filter: AlarmFilter; onReset: () => void }) {
  const { t } = useTranslation();
  const columns = useAlarmColumns();
  const { data, error, refetch, ...pages } = useInfiniteQuery(alarmeQuery(filter));
  if (!data)
    return (
      <div className="p-4">
        {error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton lines={4} height="h-12" />}
      </div>
    );
  const alarms = data.pages.flatMap((page) => page.alarme);
  if (alarms.length === 0) {
    const isFiltered = Object.keys(filter).length > 0;
    return (
      <div className="p-4">
        <EmptyState
          title={t(isFiltered ? 'ui.filteredAway' : 'alarme.log.none')}
          action={isFiltered && <Button onClick={onReset}>{t('ui.resetFilters')}</Button>}
        />
      </div>
    );
  }
  return (
    <>
      <DataTable
        caption={t('alarme.log.title')}
        columns={columns}
        rows={alarms}
        rowKey={(alarm) => alarm.alarm_id}
        tall
      />
      <MoreRows pages={pages} count={alarms.length} label={t('alarme.log.more')} />
    </>
  );
}

/** The alarms there were, each with what became of its deliveries. */
export function LogPanel() {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<AlarmFilter>({});
  return (
    <Panel title={t('alarme.log.title')} flush>
      <Filters filter={filter} onChange={setFilter} />
      <Rows filter={filter} onReset={() => setFilter({})} />
    </Panel>
  );
}
