import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Modellpreis } from '../../api/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { DataTable } from '../../ui/table.tsx';
import { PeriodPicker } from '../verbrauch/index.ts';
import { type ModelRow, useModelColumns } from './model-columns.tsx';
import { keyOf, type useModels, usePrices } from './use-models.ts';

interface ModelsTabProps {
  zeitraum: string;
  /** The models of the period. */
  used: ReturnType<typeof useModels>;
  onPeriod: (zeitraum: string) => void;
  /** Opens the form for a model, with what it costs now where that is known. */
  onSet: (row: ModelRow) => void;
}

/** The models of a period, what each costs now and who says so; those that need a price first. */
export function ModelsTab({ zeitraum, used, onPeriod, onSet }: ModelsTabProps) {
  const { t } = useTranslation();
  const { models, asked } = used;
  const prices = usePrices(models ?? []);
  const rows = models?.map((model) => ({ ...model, price: prices.get(keyOf(model)) ?? null }));
  return (
    <Panel
      title={t('preise.models.title')}
      aside={
        <div className="py-1.5">
          <PeriodPicker zeitraum={zeitraum} onChange={onPeriod} />
        </div>
      }
      flush
    >
      <p className="max-w-prose px-4 pb-3 text-sm text-ink-2">
        {t('preise.models.period')} {t('preise.models.perMillion')}
      </p>
      <StaleNotice of={asked} />
      <Loaded query={{ ...asked, data: rows }} lines={8}>
        {(shown) =>
          shown.length === 0 ? (
            <div className="px-4 pb-4">
              <EmptyState title={t('preise.models.empty')}>{t('preise.models.emptyText')}</EmptyState>
            </div>
          ) : (
            <>
              <Models rows={shown} zeitraum={zeitraum} onSet={onSet} />
              {used.isComplete || <MoreRows pages={asked} count={shown.length} />}
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

interface ModelsProps {
  rows: (ModelRow & { price: Modellpreis | null })[];
  zeitraum: string;
  onSet: (row: ModelRow) => void;
}

function Models({ rows, zeitraum, onSet }: ModelsProps) {
  const { t } = useTranslation();
  const columns = useModelColumns(onSet);
  const lacking = useMemo(() => rows.filter((row) => row.unbepreist + row.teilbepreist > 0), [rows]);
  return (
    <>
      {lacking.length > 0 && (
        <div className="px-4 pb-3">
          <Notice tone="warn">{t('preise.models.unpricedNotice', { count: lacking.length })}</Notice>
        </div>
      )}
      <DataTable
        caption={t('preise.models.title')}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        csvName={`modellpreise-${zeitraum}`}
        tall
      />
    </>
  );
}
