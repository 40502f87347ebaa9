import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Lauf } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import type { ReadWhole } from '../../ui/table-export.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { useTokenColumns } from '../verbrauch/index.ts';
import { outcomeOf } from './outcome.ts';
import { shortId } from './short-id.ts';
import { StatusBadge } from './status-badge.tsx';

/** Wider than other texts: customers are told apart by the ends of their names, too. */
const customerCell = ({ endkunde_ref }: Lauf) => (
  <span className="block max-w-40 truncate" title={endkunde_ref ?? undefined}>
    {endkunde_ref}
  </span>
);

function RunLink({ run, children }: { run: Lauf; children: ReactNode }) {
  return (
    <Link
      to="/laeufe/$lauf_id"
      params={{ lauf_id: run.lauf_id }}
      title={`${run.agent} · ${run.lauf_id}`}
      className="block truncate font-medium after:absolute after:inset-0"
    >
      {children}
    </Link>
  );
}

/** What names a run: its agent (on narrow screens also when it began), or, on the page of the agent, its id. */
function useNameColumns(hideAgent: boolean): DataColumn<Lauf>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { text } = useColumns();
  return useMemo(() => {
    if (hideAgent) {
      const cell = (run: Lauf) => (
        <div className="@max-lg:py-1">
          <RunLink run={run}>{shortId(run.lauf_id)}</RunLink>
          <span className="text-xs text-ink-3 @lg:hidden">{format.instant(run.beginn, 'dateTimeShort')}</span>
        </div>
      );
      return [text('lauf_id', t('laeufe.run'), (run) => run.lauf_id, { cell })];
    }
    return [
      text('agent', t('katalog.agent'), (run) => run.agent, {
        cell: (run) => (
          <div className="@max-lg:py-1">
            <RunLink run={run}>{run.agent}</RunLink>
            <span className="text-xs text-ink-3 @lg:hidden">
              {format.instant(run.beginn, 'dateTimeShort')}
            </span>
          </div>
        ),
        grow: true,
      }),
      text('lauf_id', t('laeufe.run'), (run) => run.lauf_id, {
        cell: (run) => <code className="font-mono text-xs text-ink-2">{shortId(run.lauf_id)}</code>,
        from: 'lg',
      }),
    ];
  }, [t, format, text, hideAgent]);
}

/** What is wrong with a run; of one that went well nothing is said. */
function Trouble({ run }: { run: Lauf }) {
  const { t } = useTranslation();
  const outcome = outcomeOf(run.status);
  return (
    <span className="flex flex-wrap gap-1">
      {outcome !== 'succeeded' && <StatusBadge status={run.status} />}
      {run.fehler > 0 && <Badge tone="harm">{t('laeufe.errors', { count: run.fehler })}</Badge>}
      {run.unbepreist > 0 && (
        <Badge tone="warn">{t('laeufe.unpricedShort', { count: run.unbepreist })}</Badge>
      )}
      {run.teilbepreist > 0 && (
        <Badge tone="warn">{t('laeufe.partlyPricedShort', { count: run.teilbepreist })}</Badge>
      )}
      {outcome === 'succeeded' && run.fehler === 0 && Number(run.verbranntes_geld_eur ?? 0) > 0 && (
        <StatusBadge status={run.status} burnt={run.verbranntes_geld_eur} />
      )}
      {outcome === 'succeeded' && run.fehler === 0 && run.unbepreist + run.teilbepreist === 0 && (
        <span className="sr-only">{t('laeufe.succeeded')}</span>
      )}
    </span>
  );
}

const itself = (run: Lauf) => run;

function useFactColumns(hideAgent: boolean): DataColumn<Lauf>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { text, count, money, instant } = useColumns();
  const tokenColumns = useTokenColumns(itself);
  return useMemo(() => {
    const tight = (content: string) => <span className="whitespace-nowrap">{content}</span>;
    return [
      instant('beginn', t('laeufe.begin'), (run) => run.beginn, {
        cell: (run) => tight(format.instant(run.beginn, 'dateTimeShort')),
        from: 'md',
      }),
      text('endkunde_ref', t('laeufe.customer'), (run) => run.endkunde_ref, {
        from: 'lg',
        ...(hideAgent ? { grow: true } : { cell: customerCell }),
      }),
      text('status', t('laeufe.status'), (run) => run.status, {
        cell: (run) => <Trouble run={run} />,
      }),
      count('aufrufe', t('laeufe.steps'), (run) => run.aufrufe, { from: 'md' }),
      count('fehler', t('verbrauch.measure.fehler'), (run) => run.fehler, { only: 'file' }),
      ...tokenColumns,
      count('dauer_ms', t('laeufe.duration'), (run) => run.dauer_ms, {
        cell: (run) => tight(format.duration(run.dauer_ms)),
        from: 'md',
        unit: 'ms',
      }),
      money('verbranntes_geld_eur', t('verbrauch.burnt'), (run) => run.verbranntes_geld_eur, {
        only: 'file',
      }),
      money('kosten_eur', t('verbrauch.measure.kosten'), (run) => run.kosten_eur),
    ];
  }, [t, format, text, count, money, instant, tokenColumns, hideAgent]);
}

interface RunsTableProps {
  caption: string;
  runs: Lauf[];
  /** On the page of an agent its name need not be said in every row. */
  hideAgent?: boolean;
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  /** The service has sorted the runs, and can sort them by these columns. */
  sortable?: readonly string[];
  csvName?: string;
  /** Reads the runs of all pages, for the file. */
  whole?: ReadWhole<Lauf> | undefined;
}

/** Runs as a table; a row leads to its steps. */
export function RunsTable({ runs, hideAgent = false, ...table }: RunsTableProps) {
  const names = useNameColumns(hideAgent);
  const facts = useFactColumns(hideAgent);
  const columns = useMemo(() => [...names, ...facts], [names, facts]);
  return <DataTable {...table} columns={columns} rows={runs} rowKey={(run) => run.lauf_id} />;
}
