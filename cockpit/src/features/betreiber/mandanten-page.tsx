import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { betreiberMandantenQuery, betreiberMandantQuery } from '../../api/queries.ts';
import type { BetreiberMandant } from '../../api/types.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField } from '../../ui/field.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useColumns } from '../../ui/use-columns.tsx';
import { MandantDialog } from './mandant-dialog.tsx';
import { type MandantenSearch, PAKETE, STATUS, toFilter } from './search.ts';
import { LimitUse, PackageName, StatusBadge } from './words.tsx';

const route = getRouteApi('/betreiber/mandanten');

/** The name opens the dialog; on narrow screens what stands in other columns is below it. */
function NameCell({ mandant, onOpen }: { mandant: BetreiberMandant; onOpen: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <button
        type="button"
        onClick={onOpen}
        title={mandant.firma}
        className="block max-w-full truncate rounded-sm text-left font-medium text-accent hover:underline"
      >
        {mandant.firma}
      </button>
      {mandant.betreiber_notiz && (
        <p className="truncate text-xs text-ink-3" title={mandant.betreiber_notiz}>
          {t('betreiber.noteOf', { note: mandant.betreiber_notiz })}
        </p>
      )}
      <div className="mt-1 @3xl:hidden">
        <StatusBadge mandant={mandant} />
      </div>
    </>
  );
}

function useMandantColumns(onOpen: (mandant: string) => void): DataColumn<BetreiberMandant>[] {
  const { t } = useTranslation();
  const { text, instant, count, money } = useColumns();
  return useMemo(
    () => [
      text('firma', t('betreiber.company'), ({ firma }) => firma, {
        cell: (mandant) => <NameCell mandant={mandant} onOpen={() => onOpen(mandant.mandant_id)} />,
        grow: true,
      }),
      text('status', t('betreiber.state'), ({ status }) => status, {
        cell: (mandant) => <StatusBadge mandant={mandant} />,
        from: 'lg',
      }),
      text('paket', t('betreiber.package'), ({ paket_name }) => paket_name, {
        cell: (mandant) => <PackageName mandant={mandant} />,
      }),
      count('benutzer', t('betreiber.users'), ({ benutzer }) => benutzer, { from: 'xl' }),
      count('schluessel', t('betreiber.keys'), ({ schluessel }) => schluessel, { from: 'xl' }),
      count('ereignisse', t('betreiber.monthEvents'), ({ monat }) => monat.ereignisse, {
        cell: (mandant) => <LimitUse mandant={mandant} />,
      }),
      money('kosten', t('betreiber.monthCost'), ({ monat }) => monat.kosten_eur, { from: 'md' }),
      instant('aufruf', t('betreiber.lastCall'), ({ letzter_aufruf_am }) => letzter_aufruf_am, {
        from: 'lg',
      }),
    ],
    [t, text, instant, count, money, onOpen],
  );
}

interface FiltersProps {
  search: MandantenSearch;
  onChange: (search: MandantenSearch) => void;
}

function Filters({ search, onChange }: FiltersProps) {
  const { t } = useTranslation();
  const packages = PAKETE.map((value) => ({ value, label: t(`betreiber.paket.${value}`) }));
  const states = STATUS.map((value) => ({ value, label: t(`betreiber.status.${value}`) }));
  return (
    <div className="flex flex-wrap items-end gap-2 border-b px-4 py-3">
      <div className="w-full sm:w-72">
        <FilterField
          label={t('betreiber.search')}
          value={search.suche ?? ''}
          maxLength={200}
          onChange={(suche) => onChange({ suche: suche || undefined })}
        />
      </div>
      <div className="w-40">
        <SelectField
          label={t('betreiber.package')}
          hideLabel
          value={search.paket ?? ''}
          options={[{ value: '', label: t('betreiber.allPackages') }, ...packages]}
          onChange={(paket) => onChange({ paket: PAKETE.find((one) => one === paket) })}
        />
      </div>
      <div className="w-40">
        <SelectField
          label={t('betreiber.state')}
          hideLabel
          value={search.status ?? ''}
          options={[{ value: '', label: t('betreiber.allStates') }, ...states]}
          onChange={(status) => onChange({ status: STATUS.find((one) => one === status) })}
        />
      </div>
    </div>
  );
}

interface RowsProps {
  search: MandantenSearch;
  onReset: () => void;
  onOpen: (mandant: string) => void;
}

function Rows({ search, onReset, onOpen }: RowsProps) {
  const { t } = useTranslation();
  const columns = useMandantColumns(onOpen);
  const { data, error, refetch, ...pages } = useInfiniteQuery(betreiberMandantenQuery(toFilter(search)));
  if (!data)
    return (
      <div className="p-4">
        {error ? <LoadError error={error} onRetry={refetch} /> : <Skeleton lines={8} height="h-12" />}
      </div>
    );
  const rows = data.pages.flatMap(({ mandanten }) => mandanten);
  if (rows.length === 0)
    return (
      <div className="p-4">
        <EmptyState
          title={t('ui.filteredAway')}
          action={<Button onClick={onReset}>{t('ui.resetFilters')}</Button>}
        />
      </div>
    );
  return (
    <>
      <DataTable
        caption={t('betreiber.mandanten')}
        columns={columns}
        rows={rows}
        rowKey={({ mandant_id }) => mandant_id}
        tall
      />
      <MoreRows
        pages={pages}
        count={rows.length}
        status={t(pages.hasNextPage ? 'betreiber.shown' : 'betreiber.shownAll', { count: rows.length })}
      />
    </>
  );
}

/** The dialog of the Mandant that the address names. */
function OpenMandant({ mandant_id, onClose }: { mandant_id: string; onClose: () => void }) {
  const { data } = useQuery(betreiberMandantQuery(mandant_id));
  const [mandant] = data?.mandanten ?? [];
  return mandant ? <MandantDialog key={mandant_id} mandant={mandant} onClose={onClose} /> : null;
}

/** All Mandanten: found, seen in counts and sums, changed. */
export function MandantenPage(): ReactNode {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const put = useChange(search, navigate);
  const change = (next: MandantenSearch) => put(next, { replace: true });
  return (
    <Page title={t('betreiber.mandanten')}>
      <p className="max-w-prose text-ink-2">{t('betreiber.mandantenText')}</p>
      <Frame>
        <Filters search={search} onChange={change} />
        <Rows
          search={search}
          onReset={() => navigate({ search: {}, replace: true })}
          onOpen={(mandant) => change({ mandant })}
        />
      </Frame>
      {search.mandant && (
        <OpenMandant mandant_id={search.mandant} onClose={() => change({ mandant: undefined })} />
      )}
    </Page>
  );
}
