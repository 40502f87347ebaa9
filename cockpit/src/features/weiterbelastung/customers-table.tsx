import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { Endkunde, EndkundenSeite } from '../../api/types.ts';
import { compareDecimal } from '../../format/decimal.ts';
import { useFormat } from '../../format/use-format.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { FilterField } from '../../ui/filter-field.tsx';
import { MoreRows, type Pages } from '../../ui/more-rows.tsx';
import { Frame } from '../../ui/panel.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import type { CustomerAction } from './customer-dialogs.tsx';
import { nameOf } from './names.ts';
import { RowMenu } from './row-menu.tsx';
import { MAX_SEARCH } from './search.ts';
import { usePercent } from './use-percent.ts';

interface CustomersTableProps {
  page: EndkundenSeite;
  rows: Endkunde[];
  pages: Pages;
  suche: string | undefined;
  onSearch: (suche: string) => void;
  onNew: () => void;
  onImport: () => void;
  onAction: (action: CustomerAction, of: Endkunde) => void;
  /** Stands in place of rows where none is found. */
  children: ReactNode;
}

/** Who it is, and where there is no room for more columns what they cost. */
function CustomerCell({ of, monat }: { of: Endkunde; monat: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const percent = usePercent();
  const cost = format.money(of.kosten_eur);
  const markup = `${of.aufschlag_prozent.startsWith('-') ? '' : '+'}${percent(of.aufschlag_prozent)}`;
  const hasMarkup = compareDecimal(of.aufschlag_prozent, '0') !== 0;
  const also = of.zusammengefuehrt.map(({ referenz }) => referenz).join(', ');
  const second = [
    ...(of.name === null ? [] : [of.referenz]),
    ...(also === '' ? [] : [t('weiterbelastung.alsoFor', { references: also })]),
  ].join(' · ');
  return (
    <div className="py-1">
      <span className="flex items-center gap-2">
        <Link
          to="/endkunden/abrechnung"
          search={{ referenz: of.referenz, monat }}
          title={nameOf(of)}
          className="block min-w-0 truncate font-medium after:absolute after:inset-0"
        >
          {nameOf(of)}
        </Link>
        {of.entfernt && <Badge tone="warn">{t('weiterbelastung.deleted')}</Badge>}
      </span>
      {second !== '' && (
        <span className="block truncate text-xs text-ink-3" title={second}>
          {second}
        </span>
      )}
      <span className="block truncate text-xs text-ink-3 @lg:hidden">
        {hasMarkup ? t('weiterbelastung.costPlus', { cost, markup }) : `${t('weiterbelastung.cost')} ${cost}`}
      </span>
    </div>
  );
}

const moneyColumns = ['kosten_eur', 'verbranntes_geld_eur', 'abrechenbar_eur'] as const;

function useCustomerColumns({ page, onAction }: Pick<CustomersTableProps, 'page' | 'onAction'>) {
  const { t } = useTranslation();
  const format = useFormat();
  const percent = usePercent();
  const { text, money } = useColumns();
  const { monat, status } = page;
  return useMemo((): DataColumn<Endkunde>[] => {
    const [cost, burnt, chargeable] = moneyColumns;
    return [
      text<Endkunde>('name', t('weiterbelastung.name'), nameOf, {
        cell: (row) => <CustomerCell of={row} monat={monat} />,
        grow: true,
      }),
      money(cost, t('weiterbelastung.cost'), (row) => row[cost], { from: 'md' }),
      money(burnt, t('weiterbelastung.burnt'), (row) => row[burnt], { from: 'xl' }),
      money(chargeable, t('weiterbelastung.chargeable'), (row) => row[chargeable], { from: 'xl' }),
      {
        id: 'aufschlag_prozent',
        header: t('weiterbelastung.markup'),
        kind: 'decimal',
        value: (row) => row.aufschlag_prozent,
        cell: (row) => <span className="whitespace-nowrap">{percent(row.aufschlag_prozent)}</span>,
        from: 'md',
      },
      money('betrag_eur', t('weiterbelastung.charge'), (row) => row.betrag_eur),
      money('korrekturen_eur', t('weiterbelastung.corrections'), (row) => row.korrekturen_eur, {
        from: 'lg',
        style: { signed: true },
      }),
      {
        id: 'trend_prozent',
        header: t('weiterbelastung.trend'),
        kind: 'decimal',
        value: (row) => row.trend_prozent,
        cell: (row) => (
          <span className="whitespace-nowrap" title={t('weiterbelastung.trendHint')}>
            {/* A change, not an amount: tenths of a percent are whole numbers. */}
            {row.trend_prozent === null ? '–' : format.change(Math.round(Number(row.trend_prozent) * 10))}
          </span>
        ),
        from: 'lg',
      },
      text<Endkunde>('aktionen', t('weiterbelastung.actions'), () => null, {
        // Of whom nothing was charged in a closed month there is nothing to correct.
        cell: (row) =>
          status === 'geschlossen' && !row.buchung ? null : <RowMenu of={row} onAction={onAction} />,
        only: 'screen',
      }),
    ];
  }, [t, format, percent, text, money, monat, status, onAction]);
}

/** The end customers of a month, their sum, and the calls that belong to none of them. */
export function CustomersTable({ page, rows, pages, suche, ...props }: CustomersTableProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const columns = useCustomerColumns({ page, onAction: props.onAction });
  const { summe, ohne_endkunde: without } = page;
  const foot = { ...summe, name: t('weiterbelastung.sumOf', { count: summe.endkunden }) };
  return (
    <Frame>
      <DataTable
        caption={t('weiterbelastung.title')}
        columns={columns}
        rows={rows}
        rowKey={(row) => row.endkunde_id}
        {...(rows.length > 0 ? { foot } : {})}
        toolbar={
          <>
            <div className="w-full sm:w-72">
              <FilterField
                label={t('weiterbelastung.search')}
                value={suche ?? ''}
                maxLength={MAX_SEARCH}
                onChange={props.onSearch}
              />
            </div>
            <Button onClick={props.onNew}>{t('weiterbelastung.new')}</Button>
            <Button onClick={props.onImport}>{t('weiterbelastung.csv.import')}</Button>
          </>
        }
      />
      {rows.length === 0 && <div className="p-4">{props.children}</div>}
      {suche !== undefined && rows.length > 0 && (
        <p className="border-t px-4 py-2 text-xs text-ink-3">{t('weiterbelastung.sumAll')}</p>
      )}
      {without.aufrufe > 0 && (
        <p className="border-t px-4 py-2 text-xs text-ink-2">
          {t('weiterbelastung.without', {
            count: without.aufrufe,
            amount: format.money(without.kosten_eur),
          })}
        </p>
      )}
      {pages.hasNextPage && (
        <MoreRows
          pages={pages}
          count={rows.length}
          status={t('weiterbelastung.loaded', { count: rows.length })}
          label={t('weiterbelastung.more')}
        />
      )}
    </Frame>
  );
}
