import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { abgleichQuery } from '../../api/queries.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button, buttonClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CalendarIcon, DownIcon } from '../../ui/icons.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Menu, MenuChoice } from '../../ui/menu.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Frame } from '../../ui/panel.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { InvoiceDialogs, type OpenDialog } from './invoice-dialogs.tsx';
import { ReconciliationTable } from './reconciliation-table.tsx';
import { useMonths } from './use-months.ts';

const route = getRouteApi('/cockpit/abgleich');

interface PeriodChoiceProps {
  monat: string | undefined;
  onChange: (monat: string | undefined) => void;
}

/** A month, or the last twelve. */
function PeriodChoice({ monat, onChange }: PeriodChoiceProps) {
  const { t } = useTranslation();
  const options = [{ value: '', label: t('abgleich.lastTwelve') }, ...useMonths(monat)];
  const chosen = options.find(({ value }) => value === (monat ?? ''))?.label ?? '';
  const trigger = (
    <Button aria-label={`${t('abgleich.period')}: ${chosen}`}>
      <CalendarIcon className="text-ink-3" />
      {chosen}
      <DownIcon className="text-ink-3" />
    </Button>
  );
  return (
    <Menu label={t('abgleich.period')} trigger={trigger}>
      <MenuChoice
        label={t('abgleich.period')}
        value={monat ?? ''}
        options={options}
        onChange={(next) => onChange(next || undefined)}
      />
    </Menu>
  );
}

/** The month of the address: undefined for the last twelve, also where it is yet to come. */
function useMonth() {
  const format = useFormat();
  const { monat, unlesbar } = route.useSearch();
  const current = format.dayOf(new Date()).slice(0, 7);
  const isAhead = monat !== undefined && monat > current;
  return { current, monat: isAhead ? undefined : monat, isWrong: isAhead || unlesbar !== undefined };
}

/** The rows that were read, and the providers among them. */
function useRows(monat: string | undefined) {
  const listed = useInfiniteQuery(abgleichQuery(monat));
  const rows = listed.data?.pages.flatMap(({ zeilen }) => zeilen);
  const named = (rows ?? []).flatMap(({ anbieter }) => (anbieter === null ? [] : [anbieter]));
  const sums = (listed.data?.pages ?? []).flatMap(({ summen }) => summen);
  return {
    listed,
    rows,
    sums,
    providers: [...new Set(named)].sort(),
    until: listed.data?.pages[0]?.gezaehlt_bis,
  };
}

/** What was counted beside what providers invoice. */
export function ReconciliationPage(): ReactNode {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const { current, monat, isWrong } = useMonth();
  const { listed, rows, sums, providers, until } = useRows(monat);
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const { error, refetch, ...pages } = listed;
  const actions = (
    <>
      <Link to="/abgleich/nutzung" search={monat === undefined ? {} : { monat }} className={buttonClass()}>
        {t('abgleich.usage.link')}
      </Link>
      <PeriodChoice
        monat={monat}
        onChange={(next) => navigate({ to: '/abgleich', search: { monat: next } })}
      />
      <Button kind="primary" onClick={() => setOpen({ action: 'new', monat: monat ?? current })}>
        {t('abgleich.new')}
      </Button>
    </>
  );
  return (
    <Page title={t('abgleich.title')} actions={actions}>
      <p className="-mt-2 max-w-prose text-sm text-ink-2">
        {t('abgleich.text')}{' '}
        {until && t('abgleich.countedUntil', { time: format.instant(until, 'dateTime') })}
      </p>
      {isWrong && <Notice>{t('abgleich.badMonth')}</Notice>}
      <StaleNotice of={listed} />
      <Loaded query={{ data: rows, error, refetch }} lines={6}>
        {(found) =>
          found.length === 0 ? (
            <EmptyState title={t('abgleich.empty')}>{t('abgleich.emptyText')}</EmptyState>
          ) : (
            <Frame>
              <ReconciliationTable
                rows={found}
                sums={sums}
                monat={monat}
                hasMore={pages.hasNextPage}
                onOpen={setOpen}
              />
              <MoreRows pages={pages} count={found.length} />
            </Frame>
          )
        }
      </Loaded>
      <InvoiceDialogs open={open} providers={providers} onClose={() => setOpen(null)} />
    </Page>
  );
}
