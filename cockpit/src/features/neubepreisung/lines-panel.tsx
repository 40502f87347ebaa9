import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { readWhole } from '../../api/make-query.ts';
import { neubepreisungZeilenQuery } from '../../api/queries.ts';
import type { Neubepreisung, Neubepreisungszeile } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { Difference } from './difference.tsx';

type Line = Neubepreisungszeile;

const route = getRouteApi('/cockpit/preise/neubepreisung/$neubepreisung_id');
const USD = { currency: 'USD' } as const;

/** The agent, and where there is no room for more columns what stands in them. */
function AgentCell({ of }: { of: Line }) {
  const format = useFormat();
  return (
    <div className="@max-lg:py-1">
      <span className="block truncate font-medium" title={of.agent}>
        {of.agent}
      </span>
      <span className="block truncate text-xs text-ink-3 @lg:hidden">
        {format.day(`${of.monat}-01`, 'month')} · {format.money(of.alt_usd, 'USD')} →{' '}
        {format.money(of.neu_usd, 'USD')}
      </span>
    </div>
  );
}

/** How many calls become priced or unpriced has a column only where some do. */
function useLineColumns(withUnpriced: boolean): DataColumn<Line>[] {
  const { t } = useTranslation();
  const format = useFormat();
  const { text, count, money } = useColumns();
  return useMemo(
    () => [
      text('monat', t('neubepreisung.month'), (line: Line) => line.monat, {
        cell: (line) => <span className="whitespace-nowrap">{format.day(`${line.monat}-01`, 'month')}</span>,
        from: 'md',
      }),
      text('agent', t('neubepreisung.agent'), (line: Line) => line.agent, {
        cell: (line) => <AgentCell of={line} />,
        grow: true,
      }),
      count('geaendert', t('neubepreisung.calls'), (line: Line) => line.geaendert, { from: 'md' }),
      ...(withUnpriced
        ? [
            count('unbepreist', t('neubepreisung.unpricedShort'), (line: Line) => line.unbepreist, {
              cell: (line) => format.countChange(line.unbepreist),
              from: 'lg',
            }),
          ]
        : []),
      money('alt_usd', t('neubepreisung.old'), (line: Line) => line.alt_usd, { style: USD, from: 'md' }),
      money('neu_usd', t('neubepreisung.next'), (line: Line) => line.neu_usd, { style: USD, from: 'md' }),
      money('differenz_eur', t('neubepreisung.difference'), (line: Line) => line.differenz_eur, {
        style: { signed: true },
        cell: (line, column) => <Difference value={line.differenz_eur} column={column} />,
      }),
    ],
    [t, format, text, count, money, withUnpriced],
  );
}

const readLines = (neubepreisung_id: string) =>
  readWhole('neubepreisung', { params: { neubepreisung_id } }, ({ zeilen }) => zeilen);

/** What changes, or has changed, by month and agent. */
export function LinesPanel({ of }: { of: Neubepreisung }) {
  const { t } = useTranslation();
  const { sort } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch, ...pages } = useInfiniteQuery(neubepreisungZeilenQuery(of.neubepreisung_id));
  const all = useMemo(() => data?.pages.flatMap(({ zeilen }) => zeilen), [data]);
  const columns = useLineColumns(all?.some(({ unbepreist }) => unbepreist !== 0) ?? false);
  return (
    <Panel title={t('neubepreisung.lines')} flush>
      <Loaded query={{ data: all, error, refetch }}>
        {(lines) => (
          <>
            <DataTable
              caption={t('neubepreisung.lines')}
              columns={columns}
              rows={lines}
              rowKey={({ monat, agent }) => `${monat} ${agent}`}
              sort={sort}
              onSort={(next) => navigate({ search: { sort: next }, replace: true })}
              csvName={`neubepreisung-${of.von}`}
              whole={pages.hasNextPage ? () => readLines(of.neubepreisung_id) : undefined}
            />
            <MoreRows pages={pages} count={lines.length} local />
          </>
        )}
      </Loaded>
    </Panel>
  );
}
