import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { readWhole } from '../../api/make-query.ts';
import { verbrauchSeitenQuery } from '../../api/queries.ts';
import type { VerbrauchZeile } from '../../api/types.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SelectField, TextField } from '../../ui/field.tsx';
import { LoadError } from '../../ui/load-error.tsx';
import { MoreRows, type Pages } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { DataTable } from '../../ui/table.tsx';
import { useChange } from '../../ui/use-change.ts';
import { useColumns } from '../../ui/use-columns.tsx';
import { PriceLink } from '../preise/index.ts';
import { NoneInPeriod } from './empty.tsx';
import type { BreakdownSearch } from './search.ts';
import { useTokenColumns } from './tokens.ts';
import { useNameOf } from './use-names.ts';
import { useView, type View } from './use-view.ts';
import { DIMENSION_NAMES, type DimensionName, filterSearch } from './view.ts';
import { UnreadableNotice, ViewBar } from './view-bar.tsx';

const route = getRouteApi('/cockpit/aufschluesselung');

/** All values of a dimension with their figures in the period: customers, projects, models, functions, users. */
export function BreakdownPage(): ReactNode {
  const { t } = useTranslation();
  const search = route.useSearch();
  const put = useChange(search, route.useNavigate());
  const view = useView(search);
  const dimension = search.nach ?? 'endkunde';
  const { von, bis, werte } = view;
  const { data, error, refetch, ...asked } = useInfiniteQuery(
    verbrauchSeitenQuery({ gruppe: dimension, von, bis, limit: 200, ...werte }),
  );
  const change = (next: BreakdownSearch) => put(next, { replace: !('zeitraum' in next || 'agent' in next) });
  const rows = data?.pages.flatMap((page) => page.zeilen);
  return (
    <Page
      title={t('ansicht.listOf', { merkmale: t(`ansicht.merkmale.${dimension}`) })}
      actions={
        <>
          {dimension === 'modell' && <PriceLink />}
          <ViewBar view={view} onChange={change} compares={false} />
        </>
      }
    >
      <UnreadableNotice of={search} />
      <StaleNotice of={{ data, error, refetch, ...asked }} />
      {error && !data ? (
        <LoadError error={error} onRetry={refetch} />
      ) : !rows ? (
        <Skeleton lines={10} height="h-9" />
      ) : (
        <Breakdown
          rows={rows}
          dimension={dimension}
          pages={asked}
          view={view}
          search={search}
          onChange={change}
        />
      )}
    </Page>
  );
}

interface BreakdownProps {
  rows: VerbrauchZeile[];
  dimension: DimensionName;
  pages: Pages;
  view: View;
  search: BreakdownSearch;
  onChange: (next: BreakdownSearch) => void;
}

const itself = (row: VerbrauchZeile) => row;

function useBreakdownColumns({ dimension, view }: Pick<BreakdownProps, 'dimension' | 'view'>) {
  const { t } = useTranslation();
  const nameOf = useNameOf(view.zeitraum);
  const { text, count, money } = useColumns();
  const tokenColumns = useTokenColumns(itself);
  return useMemo(
    () => [
      text<VerbrauchZeile>('schluessel', t(`ansicht.merkmal.${dimension}`), (row) => row.schluessel, {
        cell: (row) => (
          <Link
            to="/"
            search={filterSearch({ dimension, value: row.schluessel })}
            title={row.schluessel}
            className="block truncate font-medium after:absolute after:inset-0"
          >
            {nameOf(dimension, row.schluessel)}
          </Link>
        ),
        grow: true,
      }),
      money<VerbrauchZeile>('kosten_eur', t('verbrauch.measure.kosten'), (row) => row.kosten_eur),
      count<VerbrauchZeile>('aufrufe', t('verbrauch.measure.aufrufe'), (row) => row.aufrufe),
      ...tokenColumns,
      count<VerbrauchZeile>('fehler', t('verbrauch.measure.fehler'), (row) => row.fehler, { from: 'md' }),
      money<VerbrauchZeile>('verbrannt', t('verbrauch.burnt'), (row) => row.verbranntes_geld_eur, {
        from: 'lg',
      }),
    ],
    [t, nameOf, text, count, money, tokenColumns, dimension],
  );
}

/** All values that match, not only those that are loaded. */
async function readMatching(
  gruppe: DimensionName,
  { von, bis, werte }: View,
  matching: (row: VerbrauchZeile) => boolean,
) {
  const query = { gruppe, von, bis, ...werte };
  const all = await readWhole('cockpitVerbrauch', { query }, ({ zeilen }) => zeilen);
  return { ...all, rows: all.rows.filter(matching) };
}

interface ToolbarProps extends Pick<BreakdownProps, 'dimension' | 'search' | 'onChange'> {
  loaded: number;
  shown: number;
}

/** By which dimension, which of its values, and how many those are. */
function Toolbar({ dimension, search, loaded, shown, onChange }: ToolbarProps) {
  const { t } = useTranslation();
  const options = DIMENSION_NAMES.map((value) => ({ value, label: t(`ansicht.merkmale.${value}`) }));
  return (
    <>
      <div className="w-40">
        <SelectField
          label={t('ansicht.filterBy')}
          hideLabel
          value={dimension}
          options={options}
          onChange={(nach) => onChange({ nach: nach as DimensionName })}
        />
      </div>
      <div className="w-full sm:w-56">
        <TextField
          label={t('ansicht.search')}
          hideLabel
          type="search"
          placeholder={t('ansicht.search')}
          value={search.q ?? ''}
          onChange={(event) => onChange({ q: event.target.value || undefined })}
        />
      </div>
      <p role="status" className="self-center text-xs text-ink-3">
        {shown === loaded
          ? t('ansicht.countAll', { count: loaded })
          : t('ansicht.countSome', { shown, all: loaded })}
      </p>
    </>
  );
}

function Breakdown({ rows, dimension, pages, view, search, onChange }: BreakdownProps) {
  const { t } = useTranslation();
  const columns = useBreakdownColumns({ dimension, view });
  const nameOf = useNameOf(view.zeitraum);
  const matching = useMemo(() => {
    const wanted = search.q?.toLocaleLowerCase('de') ?? '';
    return ({ schluessel }: VerbrauchZeile) =>
      `${schluessel} ${nameOf(dimension, schluessel)}`.toLocaleLowerCase('de').includes(wanted);
  }, [search.q, nameOf, dimension]);
  const shown = useMemo(() => rows.filter(matching), [rows, matching]);
  if (rows.length === 0)
    return (
      <NoneInPeriod
        zeitraum={view.zeitraum}
        datenBis={null}
        onChange={(zeitraum) => onChange({ zeitraum })}
      />
    );
  return (
    <Frame>
      <DataTable
        caption={t(`ansicht.merkmale.${dimension}`)}
        columns={columns}
        rows={shown}
        rowKey={(row) => row.schluessel}
        sort={search.sort ?? '-kosten_eur'}
        onSort={(sort) => onChange({ sort })}
        csvName={`${dimension}-${view.zeitraum}`}
        whole={pages.hasNextPage ? async () => readMatching(dimension, view, matching) : undefined}
        toolbar={
          <Toolbar
            dimension={dimension}
            search={search}
            loaded={rows.length}
            shown={shown.length}
            onChange={onChange}
          />
        }
      />
      {shown.length === 0 && (
        <div className="p-4">
          <EmptyState title={t('ui.filteredAway')}>{pages.hasNextPage && t('ansicht.loadedOnly')}</EmptyState>
        </div>
      )}
      <MoreRows pages={pages} count={rows.length} local />
    </Frame>
  );
}
