import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { endkundenQuery } from '../../api/queries.ts';
import type { EndkundenSeite } from '../../api/types.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import type { Pages } from '../../ui/more-rows.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { useChange } from '../../ui/use-change.ts';
import { RatesLine } from '../verbrauch/index.ts';
import { CloseButton } from './close-dialog.tsx';
import { type CustomerAction, CustomerDialogs, type OpenDialog } from './customer-dialogs.tsx';
import { CustomersTable } from './customers-table.tsx';
import { Downloads } from './downloads.tsx';
import { MonthNotes } from './month-notes.tsx';
import { MonthPicker } from './month-picker.tsx';
import type { CustomersSearch } from './search.ts';
import { StatusBadge } from './status-badge.tsx';
import { useMonth, useMonthState } from './use-month.ts';

const route = getRouteApi('/cockpit/endkunden');

/** The end customers and what each is charged for a month. */
export function CustomersPage(): ReactNode {
  const { t } = useTranslation();
  const search = route.useSearch();
  const put = useChange(search, route.useNavigate());
  const { month, isWrong } = useMonth(search);
  const listed = useInfiniteQuery(endkundenQuery(month, search.suche));
  const { data, error, refetch, ...pages } = listed;
  const first = data?.pages[0];
  const state = useMonthState(month, first !== undefined && first.status !== 'laeuft');
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const change = (next: CustomersSearch) =>
    put({ ...next, unlesbar: undefined }, { replace: 'suche' in next });
  return (
    <Page
      title={t('weiterbelastung.title')}
      beside={first && <StatusBadge status={first.status} />}
      actions={
        <>
          <Link to="/abrechnung" className={buttonClass()}>
            {t('weiterbelastung.monthsLink')}
          </Link>
          <Downloads month={month} />
          {first?.status === 'geschlossen' && (
            <Link to="/abrechnung/versand" search={{ monat: month }} className={buttonClass()}>
              {t('weiterbelastung.mail.title')}
            </Link>
          )}
          {state.of?.abschliessbar && <CloseButton month={month} />}
          <MonthPicker month={month} onChange={(monat) => change({ monat })} />
        </>
      }
    >
      {isWrong && <Notice>{t('weiterbelastung.badMonth')}</Notice>}
      <StaleNotice of={listed} />
      <Loaded query={{ data: first, error, refetch }} lines={8}>
        {(page) => (
          <Customers
            page={page}
            rows={data?.pages.flatMap(({ zeilen }) => zeilen) ?? []}
            pages={pages}
            search={search}
            onChange={change}
            onAction={setOpen}
          >
            <MonthNotes page={page} closed={state.of} />
          </Customers>
        )}
      </Loaded>
      <CustomerDialogs month={month} open={open} onClose={() => setOpen(null)} />
    </Page>
  );
}

interface CustomersProps {
  page: EndkundenSeite;
  rows: EndkundenSeite['zeilen'];
  pages: Pages;
  search: CustomersSearch;
  onChange: (next: CustomersSearch) => void;
  onAction: (open: OpenDialog) => void;
  /** What is to be said of the month. */
  children: ReactNode;
}

/** Why there is no row, and the one next step; nothing where there are rows. */
function NoRows({ rows, search, onChange, onAction }: Omit<CustomersProps, 'children'>) {
  const { t } = useTranslation();
  if (rows.length > 0) return null;
  if (search.suche !== undefined)
    return (
      <EmptyState
        title={t('weiterbelastung.noneFound')}
        action={
          <Button onClick={() => onChange({ suche: undefined })}>{t('weiterbelastung.resetSearch')}</Button>
        }
      >
        {t('weiterbelastung.noneFoundText')}
      </EmptyState>
    );
  return (
    <EmptyState
      title={t('weiterbelastung.neverTitle')}
      action={
        <div className="flex flex-wrap gap-2">
          <Button kind="primary" onClick={() => onAction({ action: 'new' })}>
            {t('weiterbelastung.new')}
          </Button>
          <Button onClick={() => onAction({ action: 'import' })}>{t('weiterbelastung.csv.import')}</Button>
        </div>
      }
    >
      {t('weiterbelastung.neverText')}
    </EmptyState>
  );
}

function Customers({ children, ...props }: CustomersProps) {
  const { t } = useTranslation();
  const { page, rows, pages, search, onChange, onAction } = props;
  const isEmpty = rows.length === 0 && search.suche === undefined;
  const act = (action: CustomerAction, of: EndkundenSeite['zeilen'][number]) => onAction({ action, of });
  return (
    <>
      {children}
      {page.summe.endkunden === 0 && !isEmpty && <Notice>{t('weiterbelastung.noCalls')}</Notice>}
      {isEmpty ? (
        <NoRows {...props} />
      ) : (
        <CustomersTable
          page={page}
          rows={rows}
          pages={pages}
          suche={search.suche}
          onSearch={(suche) => onChange({ suche: suche || undefined })}
          onNew={() => onAction({ action: 'new' })}
          onImport={() => onAction({ action: 'import' })}
          onAction={act}
        >
          <NoRows {...props} />
        </CustomersTable>
      )}
      <RatesLine quellen={page.kursquellen} />
    </>
  );
}
