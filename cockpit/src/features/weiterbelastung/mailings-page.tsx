import { getRouteApi, Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { codeOf } from '../../api/error.ts';
import type { Versendung } from '../../api/types.ts';
import { useHasNoMail } from '../../api/use-mailweg.ts';
import { useFormat } from '../../format/use-format.ts';
import { Button, buttonClass, linkClass } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Figure, FigureRow } from '../../ui/figure.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { MoreRows } from '../../ui/more-rows.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StaleNotice } from '../../ui/stale-notice.tsx';
import { MailingsTable } from './mailings-table.tsx';
import { MonthPicker } from './month-picker.tsx';
import { shiftMonth } from './months.ts';
import { AgainDialog, SendAllDialog } from './send-dialogs.tsx';
import { type Outlook, useMailings } from './use-mailings.ts';
import { useCurrentMonth, useMonth } from './use-month.ts';

const route = getRouteApi('/cockpit/abrechnung/versand');

/** Of how many end customers the last try of the month failed, as far as `rows`, the latest first, tell. */
function failedIn(rows: Versendung[], month: string): number {
  const last = new Map<string, Versendung['status']>();
  for (const { monat, referenz, status } of rows)
    if (monat === month && !last.has(referenz)) last.set(referenz, status);
  return [...last.values()].filter((status) => status === 'fehlgeschlagen').length;
}

/** How many statements of the month are still to go, went, and have no address to go to. */
function Counts({ of, failed }: { of: Outlook; failed: number }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { versendet, ohne_adresse, schon_versendet, abgemeldet, zurueckgestellt } = of;
  if (versendet + ohne_adresse + schon_versendet + abgemeldet + zurueckgestellt === 0)
    return <Notice>{t('weiterbelastung.mail.nobody')}</Notice>;
  return (
    <>
      <FigureRow>
        <Figure
          label={t('weiterbelastung.mail.toGo')}
          value={format.count(versendet)}
          note={versendet + zurueckgestellt === 0 && t('weiterbelastung.mail.allHave')}
        />
        <Figure label={t('weiterbelastung.mail.went')} value={format.count(schon_versendet)} />
        <Figure
          label={t('weiterbelastung.mail.without')}
          value={format.count(ohne_adresse)}
          note={
            ohne_adresse > 0 && (
              <Link to="/endkunden" className={linkClass}>
                {t('weiterbelastung.mail.setAddresses')}
              </Link>
            )
          }
        />
      </FigureRow>
      {abgemeldet > 0 && <Notice>{t('weiterbelastung.mail.points.stopped', { count: abgemeldet })}</Notice>}
      {zurueckgestellt > 0 && (
        <Notice>{t('weiterbelastung.mail.points.later', { count: zurueckgestellt })}</Notice>
      )}
      {failed > 0 && <Notice tone="warn">{t('weiterbelastung.mail.failed', { count: failed })}</Notice>}
    </>
  );
}

/** What is said of a month that is not closed. */
function StillOpen({ month }: { month: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <EmptyState
      title={t('weiterbelastung.mail.open', { month: format.day(`${month}-01`, 'monthLong') })}
      action={
        <Link to="/endkunden" search={{ monat: month }} className={buttonClass()}>
          {t('weiterbelastung.mail.toMonth')}
        </Link>
      }
    >
      {t('weiterbelastung.mail.openText')}
    </EmptyState>
  );
}

/** What is said before somebody has confirmed in whose name mail leaves. */
function Unproven() {
  const { t } = useTranslation();
  return <EmptyState title={t('weiterbelastung.mail.unproven')}>{t('code.post_unbestaetigt')}</EmptyState>;
}

type Mailings = ReturnType<typeof useMailings>;

interface LogProps extends Omit<Mailings, 'outlook'> {
  hasNoMail: boolean;
  onAgain: (of: Versendung) => void;
}

/** What was asked for, of all months, and what became of it. */
function Log({ listed, rows, hasNoMail, onAgain }: LogProps) {
  const { t } = useTranslation();
  const { error, refetch, ...pages } = listed;
  return (
    <Panel title={t('weiterbelastung.mail.log')} flush>
      <StaleNotice of={listed} />
      <Loaded query={{ data: rows, error, refetch }} lines={4}>
        {(found) =>
          found.length === 0 ? (
            <p className="px-4 pb-4 text-sm text-ink-2">{t('weiterbelastung.mail.none')}</p>
          ) : (
            <>
              <MailingsTable
                rows={found}
                hasMore={pages.hasNextPage}
                hasNoMail={hasNoMail}
                onAgain={onAgain}
              />
              <MoreRows pages={pages} count={found.length} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}

/** The month of the address; without one the last that is over. */
function useClosedMonth() {
  const search = route.useSearch();
  const current = useCurrentMonth();
  const { month, isWrong } = useMonth(search);
  const isNamed = search.monat !== undefined || isWrong;
  return { month: isNamed ? month : shiftMonth(current, -1), isWrong };
}

/** Sending the statements of a closed month by mail: to whom they still go, who got theirs. */
export function MailingsPage(): ReactNode {
  const { t } = useTranslation();
  const navigate = route.useNavigate();
  const { month, isWrong } = useClosedMonth();
  const { outlook, ...log } = useMailings(month);
  const [isSending, setIsSending] = useState(false);
  const [again, setAgain] = useState<Versendung | null>(null);
  const hasNoMail = useHasNoMail();
  const isOpen = codeOf(outlook.error) === 'monat_offen';
  const isUnproven = codeOf(outlook.error) === 'post_unbestaetigt';
  const ready = isOpen || isUnproven ? undefined : outlook.data;
  return (
    <Page
      title={t('weiterbelastung.mail.title')}
      above={
        <Link to="/endkunden" search={{ monat: month }} className="text-xs text-ink-2 hover:underline">
          {t('weiterbelastung.title')}
        </Link>
      }
      actions={
        <>
          {ready && ready.versendet > 0 && (
            <Button kind="primary" disabled={hasNoMail} onClick={() => setIsSending(true)}>
              {t('weiterbelastung.mail.sendAll', { count: ready.versendet })}
            </Button>
          )}
          <MonthPicker month={month} onChange={(monat) => navigate({ search: { monat } })} />
        </>
      }
    >
      <p className="-mt-2 max-w-prose text-sm text-ink-2">{t('weiterbelastung.mail.text')}</p>
      {hasNoMail && <Notice tone="warn">{t('weiterbelastung.mail.noServer')}</Notice>}
      {isWrong && <Notice>{t('weiterbelastung.badMonth')}</Notice>}
      {isOpen && <StillOpen month={month} />}
      {isUnproven && <Unproven />}
      {!isOpen && !isUnproven && (
        <Loaded query={outlook} lines={1} height="h-24">
          {(counts) => <Counts of={counts} failed={failedIn(log.rows ?? [], month)} />}
        </Loaded>
      )}
      <Log {...log} hasNoMail={hasNoMail} onAgain={setAgain} />
      {isSending && ready && (
        <SendAllDialog month={month} outlook={ready} onClose={() => setIsSending(false)} />
      )}
      {again && <AgainDialog of={again} onClose={() => setAgain(null)} />}
    </Page>
  );
}
