import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { readWhole } from '../../api/make-query.ts';
import { abrechnungsmonateQuery } from '../../api/queries.ts';
import type { Abrechnungsmonat } from '../../api/types.ts';
import { useFormat } from '../../format/use-format.ts';
import { buttonClass } from '../../ui/button.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { type DataColumn, DataTable } from '../../ui/table.tsx';
import { useColumns } from '../../ui/use-columns.tsx';
import { CloseButton } from './close-dialog.tsx';
import { StatusBadge } from './status-badge.tsx';

type Month = Abrechnungsmonat;

/** The month with the way to its end customers, and where there is no room for more columns how it stands. */
function MonthCell({ of }: { of: Month }) {
  const format = useFormat();
  return (
    <div className="@max-lg:py-1">
      <Link
        to="/endkunden"
        search={{ monat: of.monat }}
        className="block font-medium @lg:whitespace-nowrap after:absolute after:inset-0"
      >
        {format.day(`${of.monat}-01`, 'monthLong')}
      </Link>
      <span className="@lg:hidden">
        <StatusBadge status={of.status} />
      </span>
    </div>
  );
}

/** What is to be done with the month next: closing it, then sending its statements. */
function ActionCell({ of }: { of: Month }) {
  const { t } = useTranslation();
  return (
    // Above the link that fills the row.
    <div className="relative py-1 text-right">
      {of.abschliessbar && <CloseButton month={of.monat} label={t('weiterbelastung.months.close')} />}
      {of.status === 'geschlossen' && (
        <Link to="/abrechnung/versand" search={{ monat: of.monat }} className={buttonClass()}>
          {t('weiterbelastung.months.send')}
        </Link>
      )}
    </div>
  );
}

function useMonthColumns(): DataColumn<Month>[] {
  const { t } = useTranslation();
  const { text, count, money, instant } = useColumns();
  return useMemo(
    () => [
      text('monat', t('weiterbelastung.months.month'), (row: Month) => row.monat, {
        cell: (row) => <MonthCell of={row} />,
      }),
      text(
        'status',
        t('weiterbelastung.months.status'),
        (row: Month) => t(`weiterbelastung.status.${row.status}`),
        {
          cell: (row) => <StatusBadge status={row.status} />,
          from: 'md',
        },
      ),
      count('endkunden', t('weiterbelastung.months.customers'), (row: Month) => row.endkunden, {
        from: 'md',
      }),
      money('kosten_eur', t('weiterbelastung.cost'), (row: Month) => row.kosten_eur, { from: 'md' }),
      money('betrag_eur', t('weiterbelastung.charge'), (row: Month) => row.betrag_eur),
      money('korrekturen_eur', t('weiterbelastung.corrections'), (row: Month) => row.korrekturen_eur, {
        style: { signed: true },
        from: 'lg',
      }),
      instant('geschlossen_am', t('weiterbelastung.months.closedAt'), (row: Month) => row.geschlossen_am, {
        from: 'lg',
      }),
      text('geschlossen_von', t('weiterbelastung.months.by'), (row: Month) => row.geschlossen_von, {
        from: 'xl',
      }),
      text('aktion', t('weiterbelastung.actions'), () => null, {
        cell: (row: Month) => <ActionCell of={row} />,
        only: 'screen',
      }),
    ],
    [t, text, count, money, instant],
  );
}

const readMonths = () => readWhole('abrechnungsmonate', {}, ({ monate }) => monate);

/** The months with what they come to, when and by whom they were closed. */
export function MonthsPage(): ReactNode {
  const { t } = useTranslation();
  const listed = useInfiniteQuery(abrechnungsmonateQuery);
  const { data, error, refetch, ...pages } = listed;
  const columns = useMonthColumns();
  const rows = useMemo(() => data?.pages.flatMap(({ monate }) => monate), [data]);
  return (
    <Page
      title={t('weiterbelastung.months.title')}
      above={
        <Link to="/endkunden" className="text-xs text-ink-2 hover:underline">
          {t('weiterbelastung.title')}
        </Link>
      }
    >
      <p className="-mt-2 max-w-prose text-sm text-ink-2">{t('weiterbelastung.months.text')}</p>
      <StaleNotice of={listed} />
      <Loaded query={{ data: rows, error, refetch }} lines={6}>
        {(months) => (
          <Frame>
            <DataTable
              caption={t('weiterbelastung.months.title')}
              columns={columns}
              rows={months}
              rowKey={({ monat }) => monat}
              csvName="abrechnungsmonate"
              whole={pages.hasNextPage ? readMonths : undefined}
            />
            {pages.hasNextPage && (
              <MoreRows
                pages={pages}
                count={months.length}
                status={t('weiterbelastung.months.loaded', { count: months.length })}
                label={t('weiterbelastung.months.more')}
              />
            )}
          </Frame>
        )}
      </Loaded>
    </Page>
  );
}
